export type { CallStep, EarlierResult, FinishedCall, ToolCallRequest, Tools } from './door';
export { matchesGlobs } from './globs';
export { plainModelName } from './names';
export { createTools } from './tools';
