export { createChat } from './chat';
export type { Chat, ChatPreview, RunEvent, RunRequest } from './door';
export { broughtHooks } from './hook-file';
export { createHooks } from './hooks';
