import { AppError } from '../../../contract/errors';
import type { ChangingAnswer, NoteBefore } from '../../../contract/versions';
import { type Notes, withSession } from '../../notes';
import type { Vault } from '../../vault';
import type { Previews } from '../compare/previews';
import type { KeptVault } from '../keep/kept-vaults';
import { changingAnswers, type WayBack, waysBack } from './before-answer';
import type { GoneNotes } from './gone-notes';
import { type NoteTexts, unknownVersion } from './note-texts';

/** What of a note's differences is chosen; `basis` null: it had none to choose from. `hunks` null: all of them. */
interface Choice {
  readonly basis: string | null;
  readonly hunks: readonly number[] | null;
}

interface NoteResult {
  readonly note: string;
  readonly path: string;
  readonly problem: string | null;
}

/** How notes come back to before an answer changed them. */
export interface AnswerRestores {
  beforeAnswer(runId: string): Promise<{ answer: ChangingAnswer | null; notes: NoteBefore[] }>;
  restoreBeforeAnswer(
    runId: string,
    chosen: readonly (Choice & { readonly note: string })[],
  ): Promise<{ notes: NoteResult[] }>;
}

export function createAnswerRestores({
  texts,
  goneNotes,
  keptVault,
  vault,
  notes,
  previews,
}: {
  texts: NoteTexts;
  goneNotes: Pick<GoneNotes, 'bringBack'>;
  /** Throws where no vault is open. */
  keptVault: () => KeptVault;
  vault: Vault;
  notes: () => Notes;
  previews: Previews;
}): AnswerRestores {
  async function restoreOne(way: WayBack, { basis, hunks }: Choice): Promise<string> {
    const { record, then, path } = way;
    switch (way.kind) {
      case 'created':
        await vault.trash(record.path);
        return record.path;
      case 'deleted':
        return goneNotes.bringBack(record, path, then?.text ?? '');
      case 'text':
        if (basis !== null) await apply(record.path, basis, hunks);
        return record.path;
      case 'moved':
        await vault.rename(record.path, path);
        if (basis !== null) await apply(path, basis, hunks);
        return path;
      case 'unknown':
      case 'nothing':
        return record.path;
    }
  }

  async function apply(path: string, basis: string, hunks: readonly number[] | null): Promise<void> {
    if (hunks?.length === 0) return;
    const result = await withSession(notes(), path, async (session) => {
      previews.apply(session, basis, hunks);
      return session.save();
    });
    if (result.kind === 'failed') throw new AppError('vault.read-only', result.message, { path });
    if (result.kind === 'read-only') throw new AppError('vault.read-only', result.reason, { path });
  }

  return {
    async beforeAnswer(runId) {
      const list = await texts.list();
      const answer = changingAnswers(list).find((one) => one.runId === runId) ?? null;
      const ways = await waysBack(list, runId, keptVault().store, texts.present);
      const described = ways.map((way) => describe(way, texts, previews));
      return { answer, notes: await Promise.all(described) };
    },
    async restoreBeforeAnswer(runId, chosen) {
      const ways = await waysBack(await texts.list(), runId, keptVault().store, texts.present);
      const results: NoteResult[] = [];
      for (const wish of chosen) {
        const way = ways.find(({ record }) => record.note === wish.note);
        const path = way?.record.path ?? '';
        try {
          if (!way) throw unknownVersion(wish.note);
          results.push({ note: wish.note, path: await restoreOne(way, wish), problem: null });
        } catch (error) {
          const problem = error instanceof AppError ? error.message : 'It could not be restored.';
          results.push({ note: wish.note, path: path || '?', problem });
        }
      }
      return { notes: results };
    },
  };
}

/** What would come back, as a person chooses from it. */
async function describe(way: WayBack, texts: NoteTexts, previews: Previews): Promise<NoteBefore> {
  const { record, tools, certain } = way;
  const facts = { note: record.note, path: record.path, tools: [...tools], certain };
  const diff = async () => {
    const text = (await texts.present(record.path)) ?? '';
    return previews.show(
      text,
      way.then?.text ?? text,
      way.then?.onDisk ? way.then.text : null,
      way.then?.others,
    );
  };
  switch (way.kind) {
    case 'text':
      return { ...facts, change: { kind: 'text', diff: await diff() } };
    case 'moved':
      return { ...facts, change: { kind: 'moved', back: way.path, diff: await diff() } };
    case 'deleted':
      return { ...facts, change: { kind: 'deleted', bytes: Buffer.byteLength(way.then?.text ?? '') } };
    case 'created':
    case 'unknown':
    case 'nothing':
      return { ...facts, change: { kind: way.kind } };
  }
}
