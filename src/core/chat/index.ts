export type { Chat } from './chat';
export { createChat } from './create-chat';
export type { RunEvent, RunRequest } from './note/run-request';
export { whoIs } from './question/answerer';
export { powersOf, saysField } from './question/note-power';
export { type NoteSettings, readNoteSettings } from './question/note-settings';
export type { ChatPreview } from './question/preview';
export type { TaskEnded } from './restart/left-tasks';
export { createRetryLater, type RetryLater } from './retry-later';
