export { broughtServers } from './brought';
export { createMcp, type McpParts } from './create-mcp';
export type {
  CallProgress,
  CatalogTool,
  Mcp,
  McpCallResult,
  SampleRequest,
  SampleResult,
  ServerMetrics,
  ServerView,
} from './door';
export { isUp } from './lifecycle';
export { loginShellPath } from './login-shell-path';
