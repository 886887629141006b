export type { ToolCallMade } from './calls';
export { createVersions } from './create-versions';
export { createPreviews } from './previews';
export type { Versions } from './versions';
