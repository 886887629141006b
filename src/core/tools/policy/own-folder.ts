import type { CatalogTool } from '../../mcp';
import type { Arguments } from '../request/arguments';
import type { ToolCallRequest } from '../request/request';
import { flowOf } from './flow';

/** As a part of a path, wherever it stands. */
const named = /(?:^|[^\p{L}\p{N}_-])\.interlinear(?![\p{L}\p{N}_-])/iu;

const names = (value: unknown): boolean => {
  if (typeof value === 'string') return named.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, one]) => named.test(key) || names(one));
};

/**
 * Whether a call that no person made names the folder from which the app takes servers, hooks, agents and templates. Of a program that is
 * known it is believed that a tool only reads.
 */
export function namesOwnFolder(request: ToolCallRequest, tool: CatalogTool, args: Arguments): boolean {
  const onlyReads = tool.annotations.readOnly === true && flowOf(tool).by === 'app';
  return request.by !== 'person' && !onlyReads && names(args);
}
