import type { CatalogTool } from '../../mcp';
import type { Arguments } from '../request/arguments';
import type { ToolCallRequest } from '../request/request';

/** A call that is about to go to its server. */
export interface AllowedCall extends Pick<ToolCallRequest, 'callId' | 'runId' | 'by' | 'path' | 'arguments'> {
  /** `server/tool`. */
  readonly tool: string;
  readonly server: string;
  readonly name: string;
  /** What the tool says of itself. */
  readonly readOnly: boolean;
}

export function allowedCall(
  { callId, runId, by, path }: ToolCallRequest,
  { serverName: server, name, annotations }: CatalogTool,
  args: Arguments,
): AllowedCall {
  const readOnly = annotations.readOnly === true;
  return { callId, runId, by, path, tool: `${server}/${name}`, server, name, arguments: args, readOnly };
}
