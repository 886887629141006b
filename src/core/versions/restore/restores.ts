import { randomBytes } from 'node:crypto';
import { extname } from 'node:path';
import { Text } from '@codemirror/state';
import { AppError, isAppError } from '../../../contract/errors';
import { type NoteVault, restoringHand } from '../../../contract/notes';
import type { AnswerTimes, NoteBefore, VersionAuthor, VersionDiff } from '../../../contract/versions';
import { createOneAtATime, type Log } from '../../foundation';
import { diffTexts, mergeTexts, type Notes, readLines } from '../../notes';
import { refuseOtherVault, type Vault } from '../../vault';
import type { Previews } from '../compare/previews';
import type { KeptVault } from '../keep/kept-vaults';
import { readList } from '../list/lists';
import { type NoteList, type NoteRecord, newestText, type TextEntry } from '../store/note-list';
import { asObject, newId } from '../store/store';
import { changingAnswers, type WayBack, waysBack } from './before-answer';

const you: VersionAuthor = { kind: 'you' };
const mostKnown = 200;
const textOfLines = (text: string) => Text.of(text.split('\n'));

interface Chosen {
  readonly note: string;
  readonly basis: string | null;
  readonly hunks: readonly number[] | null;
}

/** Brings texts back, through open notes and the vault like any other change: each restore is a version itself. */
export function createRestores({
  kept,
  settled,
  vault,
  notes,
  previews,
  now,
  onCreate,
  onStands,
  log,
}: {
  /** Throws where no vault is open. */
  kept: () => KeptVault;
  settled: () => Promise<void>;
  vault: Vault;
  notes: () => Notes;
  previews: Previews;
  now: () => number;
  /** Runs what makes a file that is a version already. */
  onCreate: <T>(work: () => Promise<T>) => Promise<T>;
  /** The note that was at `from` stands in the vault again with this text. */
  onStands: (from: string, text: string) => void;
  log: Log;
}) {
  /** Who asks second for what is just being brought back finds it there. */
  const inOrder = createOneAtATime();
  const oneByOne = <T>(work: () => Promise<T>) => inOrder('restores', work);
  /** Files that were made of notes that were gone, by where those were. */
  const broughtBack = new Map<string, string>();

  async function withSession<T>(
    path: string,
    work: (session: Awaited<ReturnType<Notes['hold']>>['session']) => T | Promise<T>,
  ): Promise<T> {
    const { session, release } = await notes().hold(path);
    try {
      return await work(session);
    } finally {
      release();
    }
  }

  const listed = async () => {
    await settled();
    return readList(kept().store, log);
  };

  /** An entry is known by its id alone: its note may be somewhere else by now. */
  async function find(id: string): Promise<{ record: NoteRecord; entry: TextEntry; text: string }> {
    for (const record of (await listed()).all()) {
      const entry = record.entries.find((one) => one.id === id);
      if (entry?.kind === 'text') return { record, entry, text: await textOf(entry) };
    }
    throw unknownVersion(id);
  }

  async function textOf(entry: TextEntry): Promise<string> {
    const bytes = await kept().store.text(entry.object);
    if (!bytes)
      throw new AppError('versions.damaged', 'What was kept of this version cannot be read any more.', {
        id: entry.id,
      });
    return bytes.toString('utf8');
  }

  const present = (path: string): Promise<string | null> =>
    onDiskNow(path).catch((error: unknown) => {
      if (isAppError(error, 'vault.not-found')) return null;
      throw error;
    });

  /** As it would stand on disk. */
  async function onDiskNow(path: string): Promise<string> {
    const open = notes().opened(path);
    if (open) await open.save();
    const { text } = await vault.read(path);
    return open && open.text() !== readLines(text).doc.toString() ? open.text() : text;
  }

  async function preview(path: string, id: string): Promise<VersionDiff> {
    const { text } = await find(id);
    return previews.show((await present(path)) ?? '', text, text);
  }

  async function restore(path: string, basis: string, hunks: readonly number[] | null) {
    return withSession(path, async (session) => {
      previews.apply(session, basis, hunks);
      const { kind } = await session.save();
      return { saved: kind === 'saved' };
    });
  }

  /** A file of this text, and its note's history goes on. */
  async function bringBack(record: NoteRecord, path: string, text: string): Promise<string> {
    const created = await onCreate(() => vault.create(path, text));
    isBack(path, created.path, text);
    const content = await asObject(text);
    kept().queue.add((list) => {
      const last = newestText(list.byId(record.note) ?? record);
      return [
        {
          kind: 'text',
          ...{ note: record.note, id: newId(), at: now(), path: created.path, by: [you], ...content },
          cause: 'restored',
          added: last?.object === content.object ? 0 : null,
          removed: last?.object === content.object ? 0 : null,
          seen: null,
        },
      ];
    });
    await settled();
    return created.path;
  }

  function isBack(from: string, path: string, text: string): void {
    const file = vault.fileAt(path);
    broughtBack.delete(from);
    if (file !== null) broughtBack.set(from, file);
    for (const oldest of broughtBack.keys()) if (broughtBack.size > mostKnown) broughtBack.delete(oldest);
    onStands(from, text);
  }

  async function restoreDeleted(id: string): Promise<{ path: string }> {
    const { record, entry, text } = await find(id);
    const { path } = record;
    const open = notes().opened(path);
    // Its window has all that it said, and more.
    if (record.isGone && open?.saveState().kind === 'deleted' && (await listed()).goneAt(path) === record) {
      const { kind } = await notes().save(path);
      if (kind === 'saved') {
        onStands(path, open.text());
        return { path };
      }
    }
    if (!record.isGone) return { path };
    return { path: (await broughtBackBefore(record, entry, text)) ?? (await bringBack(record, path, text)) };
  }

  /** The app may have ended once the file was made, before that was written down or told. */
  async function broughtBackBefore(
    gone: NoteRecord,
    { object }: TextEntry,
    text: string,
  ): Promise<string | null> {
    const list = await listed();
    const since = gone.entries.at(-1)?.at ?? 0;
    for (const path of namesFor(gone.path)) {
      const now = await present(path).catch(() => null);
      if (now === null) return null;
      // It came back just now.
      if (list.at(path) === gone) return path;
      const [first] = list.at(path)?.entries ?? [];
      const isIt = now === text || (first?.kind === 'text' && first.object === object);
      if (isIt && (!first || first.at >= since)) return path;
    }
    return null;
  }

  /** What is kept may be damaged, or none of this note: its text is what counts. */
  async function writeAgain(path: string, words: { base: string; text: string }): Promise<{ path: string }> {
    const record = await listed().then(
      (list) => (list.at(path) ? undefined : list.goneAt(path)),
      () => undefined,
    );
    if (record && (await present(path)) === null) return { path: await bringBack(record, path, words.text) };
    const file = broughtBack.get(path);
    const back = file === undefined || record ? null : vault.whereIs(file);
    if (back !== null) {
      onStands(path, await join(back, words));
      return { path: back };
    }
    const created = await vault.create(path, words.text);
    isBack(path, created.path, words.text);
    return created;
  }

  /** What it says then. */
  const join = (path: string, { base, text }: { base: string; text: string }): Promise<string> =>
    withSession(path, async (session) => {
      const [known, shown, now] = [textOfLines(base), textOfLines(text), textOfLines(session.text())];
      const sides = { ours: diffTexts(known, now), theirs: diffTexts(known, shown) };
      const { changes } = mergeTexts(known, sides, now, shown);
      session.apply(`${restoringHand}${randomBytes(8).toString('hex')}`, changes);
      await session.save();
      return session.text();
    });

  async function beforeAnswer(runId: string) {
    const list = await listed();
    const answer = changingAnswers(list).find((one) => one.runId === runId) ?? null;
    const ways = await waysBack(list, runId, kept().store, present);
    return { answer, notes: await Promise.all(ways.map(described)) };
  }

  async function described(way: WayBack): Promise<NoteBefore> {
    const { record, tools, certain } = way;
    const facts = { note: record.note, path: record.path, tools: [...tools], certain };
    const diff = async () => {
      const text = (await present(record.path)) ?? '';
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

  async function restoreOne(
    way: WayBack,
    { basis, hunks }: { basis: string | null; hunks: readonly number[] | null },
  ): Promise<string> {
    const { record, then, path } = way;
    switch (way.kind) {
      case 'created':
        await vault.trash(record.path);
        return record.path;
      case 'deleted':
        return bringBack(record, path, then?.text ?? '');
      case 'text':
        if (basis !== null) await saved(record.path, basis, hunks);
        return record.path;
      case 'moved':
        await vault.rename(record.path, path);
        if (basis !== null) await saved(path, basis, hunks);
        return path;
      case 'unknown':
      case 'nothing':
        return record.path;
    }
  }

  async function saved(path: string, basis: string, hunks: readonly number[] | null): Promise<void> {
    if (hunks?.length === 0) return;
    const result = await withSession(path, async (session) => {
      previews.apply(session, basis, hunks);
      return session.save();
    });
    if (result.kind === 'failed') throw new AppError('vault.read-only', result.message, { path });
    if (result.kind === 'read-only') throw new AppError('vault.read-only', result.reason, { path });
  }

  async function restoreBeforeAnswer(runId: string, chosen: readonly Chosen[]) {
    const ways = await waysBack(await listed(), runId, kept().store, present);
    const results: { note: string; path: string; problem: string | null }[] = [];
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
  }

  return {
    find,
    textOf,
    preview,
    restore,
    restoreDeleted: (id: string) => oneByOne(() => restoreDeleted(id)),
    writeAgain(path: string, words: { base: string; text: string; vault?: NoteVault | undefined }) {
      return oneByOne(() => {
        refuseOtherVault(vault, words.vault, path);
        return writeAgain(path, words);
      });
    },
    beforeAnswer,
    /** What is new in an entry. */
    async changes(id: string): Promise<VersionDiff> {
      const { record, entry, text } = await find(id);
      const texts = record.entries.filter((one) => one.kind === 'text');
      const before = texts[texts.indexOf(entry) - 1];
      return previews.show(before ? await textOf(before) : '', text, null);
    },
    answers: async (path: string | null) => {
      const list = await listed();
      return changingAnswers(list).filter(({ note }) => path === null || isNoteOf(list, note, path));
    },
    /** By what is kept, without a look at the disk. */
    async restorable(path: string): Promise<AnswerTimes[]> {
      if (vault.state.get().kind !== 'open') return [];
      const { store } = kept();
      const list = await readList(store, log);
      const now = async (at: string) => {
        const record = list.at(at);
        const last = record && newestText(record);
        return last ? ((await store.text(last.object))?.toString('utf8') ?? null) : null;
      };
      const times: AnswerTimes[] = [];
      for (const { runId, note, startedAt, lastAt } of changingAnswers(list)) {
        if (!isNoteOf(list, note, path)) continue;
        const ways = await waysBack(list, runId, store, now);
        if (ways.some(({ kind }) => kind !== 'nothing')) times.push({ startedAt, lastAt });
      }
      return times;
    },
    restoreBeforeAnswer: (runId: string, chosen: readonly Chosen[]) =>
      oneByOne(() => restoreBeforeAnswer(runId, chosen)),
  };
}

/** The note may have been moved since the answer was written in it. */
function isNoteOf(list: NoteList, pathThen: string, path: string): boolean {
  if (pathThen === path) return true;
  return (list.at(path)?.entries ?? []).some((entry) => entry.path === pathThen);
}

/** As they are tried for a file that is made. */
function* namesFor(path: string): Generator<string> {
  yield path;
  const ending = extname(path);
  const stem = path.slice(0, path.length - ending.length);
  for (let number = 2; ; number++) yield `${stem} ${number}${ending}`;
}

function unknownVersion(id: string): AppError<'versions.unknown'> {
  return new AppError('versions.unknown', `There is no version “${id}” of this note.`, { id });
}
