import { createDrafts } from './kept-drafts';

/** What was typed into a note and did not reach the core, as `HeldText` of the feature that follows notes. */
export const useUnsentNotes = createDrafts('note', (stored): object | null =>
  typeof stored === 'object' && stored !== null ? stored : null,
);

/** Of one editor; no path of ours holds a line break. */
export const unsentName = (vault: string, path: string, clientId: string) =>
  [vault, path, clientId].join('\n');
