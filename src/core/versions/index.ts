export type { ToolCallMade } from './calls';
export type { Versions } from './door';
export { createVersions } from './versions';
