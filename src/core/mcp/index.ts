export { createMcp, type McpParts } from './create-mcp';
export type {
  CallProgress,
  CatalogTool,
  LentModel,
  Mcp,
  McpCallResult,
  SampleRequest,
  ServerMetrics,
  TaskHandle,
} from './door';
export { loginShellPath } from './login-shell-path';
