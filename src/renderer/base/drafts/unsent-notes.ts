import { create } from 'zustand';
import { createDrafts } from './kept-drafts';

/** What was typed into a note and did not reach the core, as `HeldText` of the feature that follows notes. */
export const useUnsentNotes = createDrafts('note', (stored): object | null =>
  typeof stored === 'object' && stored !== null ? stored : null,
);

/** Of one editor; no path of ours holds a line break. */
export const unsentName = (vault: string, path: string, clientId: string) =>
  [vault, path, clientId].join('\n');

interface Added {
  readonly vault: string;
  readonly paths: readonly string[];
}

/** The notes that words of windows that are gone were added to, until the person has read that. */
export const useWordsOfGoneWindows = create<Added>(() => ({ vault: '', paths: [] }));

/** Takes what windows that are gone have left for notes of this vault, and tells of it. */
export async function takeUpNotes(vault: string): Promise<void> {
  const names = await useUnsentNotes.getState().takeUp({ start: `${vault}\n` });
  const notePaths = names.flatMap((name) => name.split('\n')[1] ?? []);
  useWordsOfGoneWindows.setState((told) => {
    const before = told.vault === vault ? told.paths : [];
    return { vault, paths: [...new Set([...before, ...notePaths])] };
  });
}
