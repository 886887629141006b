import type { ServerEntry } from '../../../contract/mcp';
import type { ToolCallRequest } from '../request/request';
import { plainModelName } from './names';

/**
 * The server of a call that is off, by a person's hand or after failures: its tools are not in the catalog, but a model
 * that was offered them before may still name one, as it knew it.
 */
export function offServerOf(
  { serverId, tool }: Pick<ToolCallRequest, 'serverId' | 'tool'>,
  serverName: string | undefined,
  servers: readonly ServerEntry[],
): ServerEntry | undefined {
  const off = servers.filter(({ state }) => state.kind === 'disabled');
  if (serverName !== undefined) return off.find(({ id }) => id === serverName);
  if (serverId !== '?') return undefined;
  return off.find(({ name }) => tool.startsWith(plainModelName(name, 'x').slice(0, -1)));
}
