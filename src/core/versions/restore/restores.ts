import type { NoteVault } from '../../../contract/notes';
import type { VersionDiff } from '../../../contract/versions';
import { createOneAtATime, type Log } from '../../foundation';
import { type Notes, withSession } from '../../notes';
import { refuseOtherVault, type Vault } from '../../vault';
import type { Previews } from '../compare/previews';
import type { KeptVault } from '../keep/kept-vaults';
import { type AnswerRestores, createAnswerRestores } from './answer-restores';
import { type Answers, createAnswers } from './answers';
import { createGoneNotes, type GoneNotes } from './gone-notes';
import { createNoteTexts } from './note-texts';

export interface Restores extends Answers, AnswerRestores, Pick<GoneNotes, 'restoreDeleted'> {
  read(id: string): Promise<string>;
  preview(path: string, id: string): Promise<VersionDiff>;
  restore(path: string, basis: string, hunks: readonly number[] | null): Promise<{ saved: boolean }>;
  writeAgain(
    path: string,
    words: { base: string; text: string; vault?: NoteVault | undefined },
  ): Promise<{ path: string }>;
  /** What is new in an entry. */
  changes(id: string): Promise<VersionDiff>;
}

/** Brings texts back, through open notes and the vault like any other change: each restore is a version itself. */
export function createRestores(parts: {
  /** Throws where no vault is open. */
  keptVault: () => KeptVault;
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
}): Restores {
  const { vault, notes, previews } = parts;
  /** Who asks second for what is just being brought back finds it there. */
  const inOrder = createOneAtATime();
  const oneByOne = <T>(work: () => Promise<T>) => inOrder('restores', work);
  const texts = createNoteTexts(parts);
  const goneNotes = createGoneNotes({ ...parts, texts });
  const beforeAnswers = createAnswerRestores({ ...parts, texts, goneNotes });

  return {
    ...createAnswers({ ...parts, texts }),
    read: async (id) => (await texts.find(id)).text,
    async preview(path, id) {
      const { text } = await texts.find(id);
      return previews.show((await texts.present(path)) ?? '', text, text);
    },
    restore: (path, basis, hunks) =>
      withSession(notes(), path, async (session) => {
        previews.apply(session, basis, hunks);
        const { kind } = await session.save();
        return { saved: kind === 'saved' };
      }),
    restoreDeleted: (id) => oneByOne(() => goneNotes.restoreDeleted(id)),
    writeAgain(path, words) {
      return oneByOne(() => {
        refuseOtherVault(vault, words.vault, path);
        return goneNotes.writeAgain(path, words);
      });
    },
    async changes(id) {
      const { record, entry, text } = await texts.find(id);
      const entries = record.entries.filter((one) => one.kind === 'text');
      const before = entries[entries.indexOf(entry) - 1];
      return previews.show(before ? await texts.of(before) : '', text, null);
    },
    beforeAnswer: beforeAnswers.beforeAnswer,
    restoreBeforeAnswer: (runId, chosen) => oneByOne(() => beforeAnswers.restoreBeforeAnswer(runId, chosen)),
  };
}
