export { createChat } from './chat';
export type { Chat, ChatPreview, RunEvent, RunRequest, TaskEnded } from './door';
export { agentNamed, createNoteConsents, type NoteConsents, notePower, tagIn } from './note-power';
export { readNoteSettings } from './note-settings';
export { createRetryLater, type RetryLater } from './retry-later';
