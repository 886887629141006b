export type { ToolCallMade } from './calls';
export type { Versions } from './door';
export { createPreviews } from './previews';
export { createVersions } from './versions';
