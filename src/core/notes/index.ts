export type { Anchor, NoteSession, Notes, NotesTrouble } from './door';
export { createNotes, type NotesParts } from './notes';
