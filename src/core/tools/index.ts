export { inert } from '../foundation';
export type { AllowedCall, CallStep, EarlierResult, FinishedCall, ToolCallRequest, Tools } from './door';
export { unknownServer } from './failures';
export { plainModelName } from './names';
export { nearestNames } from './nearest';
export { ownOutcome } from './own-outcome';
export { runAlone } from './run-alone';
export type { LeftTask } from './tasks';
export { createTools } from './tools';
