export { broughtServers } from './brought';
export { bundledId } from './configuration';
export { createMcp, type McpParts } from './create-mcp';
export type {
  CallProgress,
  CatalogTool,
  LentModel,
  Mcp,
  McpCallResult,
  SampleRequest,
  ServerMetrics,
  ServerView,
  TaskHandle,
} from './door';
export { isUp } from './lifecycle';
export { loginShellPath } from './login-shell-path';
