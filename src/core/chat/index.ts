export { createChat } from './chat';
export type { Chat, ChatPreview, RunEvent, RunRequest, TaskEnded } from './door';
export { createRetryLater, type RetryLater } from './retry-later';
