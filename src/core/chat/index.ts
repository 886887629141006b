export { whoIs } from './answerer';
export { createChat } from './chat';
export type { Chat, ChatPreview, RunEvent, RunRequest, TaskEnded } from './door';
export { createNoteConsents, type NoteConsents, type NotePower, notePower } from './note-power';
export { readNoteSettings } from './note-settings';
export { createRetryLater, type RetryLater } from './retry-later';
