export type { CallStep, EarlierResult, FinishedCall, ToolCallRequest, Tools } from './door';

export { inert } from './inert';
export { plainModelName } from './names';
export type { LeftTask } from './tasks';
export { createTools } from './tools';
