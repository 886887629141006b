export { createChat } from './chat';
export type { Chat, ChatPreview, RunEvent, RunRequest, TaskEnded } from './door';
export { broughtHooks } from './hook-file';
export { createHooks } from './hooks';
