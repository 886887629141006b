export { createNoteAuthority, type NoteAuthority } from './note-authority';
export { createNoteConsents } from './note-consents';
export { createNoteIdentity, type NoteIdentity } from './note-identity';
