export { diff as diffTexts } from './diff';
export type {
  Anchor,
  LeftOpen,
  NoteSession,
  Notes,
  NotesObserver,
  NotesTrouble,
  WatchedNote,
  WatchedText,
} from './door';
export { insertedByOthers, joined, type Place } from './inserted-by-others';
export { readLines } from './line-ends';
export { idInFrontMatter, movingMs } from './made-elsewhere';
export { merge as mergeTexts } from './merge';
export { createNotes, type NotesParts } from './notes';
export type { StoredRecovery, WaitingJournal } from './recovery-files';
export type { RecoveryStore } from './recovery-store';
