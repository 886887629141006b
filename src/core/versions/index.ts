export { createPreviews } from './compare/previews';
export { createVersions } from './create-versions';
export type { Versions } from './versions';
export type { ToolCallMade } from './watch/calls';
