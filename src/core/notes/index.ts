export type { Anchor, NoteSession, Notes } from './door';
export { createNotes, type NotesParts } from './notes';
