export type { CallStep, EarlierResult, FinishedCall, ToolCallRequest, Tools } from './door';

export { plainModelName } from './names';
export { createTools } from './tools';
