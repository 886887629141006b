export { createChat } from './chat';
export type { Chat, ChatPreview, RunEvent, RunRequest } from './door';
