import type { AnswerTimes, ChangingAnswer } from '../../../contract/versions';
import type { Log } from '../../foundation';
import type { Vault } from '../../vault';
import type { KeptVault } from '../keep/kept-vaults';
import { readList } from '../list/lists';
import { type NoteList, newestText } from '../store/note-list';
import { changingAnswers, waysBack } from './before-answer';
import type { NoteTexts } from './note-texts';

/** Which answers changed notes. */
export interface Answers {
  /** `path` null: of all notes. */
  answers(path: string | null): Promise<ChangingAnswer[]>;
  /** By what is kept, without a look at the disk. */
  restorable(path: string): Promise<AnswerTimes[]>;
}

export function createAnswers({
  texts,
  keptVault,
  vault,
  log,
}: {
  texts: NoteTexts;
  /** Throws where no vault is open. */
  keptVault: () => KeptVault;
  vault: Vault;
  log: Log;
}): Answers {
  return {
    answers: async (path) => {
      const list = await texts.list();
      return changingAnswers(list).filter(({ note }) => path === null || isNoteOf(list, note, path));
    },
    async restorable(path) {
      if (vault.state.get().kind !== 'open') return [];
      const { store } = keptVault();
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
  };
}

/** The note may have been moved since the answer was written in it. */
function isNoteOf(list: NoteList, pathThen: string, path: string): boolean {
  if (pathThen === path) return true;
  return (list.at(path)?.entries ?? []).some((entry) => entry.path === pathThen);
}
