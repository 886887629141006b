export { createNoteAuthority, type NoteAuthority } from './note-authority';
export { createNoteIdentity, type NoteIdentity } from './note-identity';
