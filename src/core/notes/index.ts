export { diff as diffTexts } from './diff';
export type { Anchor, NoteSession, Notes, NotesObserver, NotesTrouble, WatchedNote } from './door';
export { readLines } from './line-ends';
export { createNotes, type NotesParts } from './notes';
