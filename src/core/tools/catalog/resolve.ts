import type { ToolEntry } from '../../../contract/tools';
import { ofServer } from '../../../markdown';
import type { CatalogTool, Mcp } from '../../mcp';
import { notForViews, serverOff, unknownServer, unknownTool } from '../request/failures';
import type { ToolCallRequest } from '../request/request';
import { matchesGlobs } from './globs';
import { nearestNames } from './nearest';
import { offServerOf } from './off-servers';

export const findEntry = (
  entries: readonly ToolEntry[],
  server: string,
  tool: string,
): ToolEntry | undefined =>
  ofServer(
    entries.filter((entry) => entry.name === tool),
    server,
    ({ serverId: id, serverName: name }) => ({ id, name }),
  )[0];

const isOffered = ({ only }: ToolCallRequest, tool: Pick<CatalogTool, 'serverName' | 'name'>) =>
  !only || matchesGlobs(only, tool.serverName, tool.name);

/** A server may keep a tool for its own pages, or from them; persons and their hooks may call any. */
function isForCaller({ by }: ToolCallRequest, { callers }: CatalogTool): boolean {
  if (!callers) return true;
  if (by === 'model') return callers.includes('model');
  return by !== 'app' || callers.includes('view');
}

/** The tool that a call means; starts its server where need be. Throws `tool.unknown` and `mcp.unknown-server`. */
export function createResolver({
  mcp,
  entries,
}: {
  mcp: Pick<Mcp, 'tools' | 'find' | 'ready' | 'servers'>;
  entries(): readonly ToolEntry[];
}): (request: ToolCallRequest, signal: AbortSignal) => Promise<CatalogTool> {
  function look({ serverId, tool }: ToolCallRequest): CatalogTool | undefined {
    const entry = findEntry(entries(), serverId, tool);
    return (
      entry && mcp.tools.get().find((other) => other.serverId === entry.serverId && other.name === entry.name)
    );
  }

  /** Undefined: the caller is not to know that there is one. */
  function forCaller(request: ToolCallRequest, tool: CatalogTool | undefined): CatalogTool | undefined {
    if (!tool || !isOffered(request, tool)) return undefined;
    if (isForCaller(request, tool)) return tool;
    if (request.by === 'app') throw notForViews(tool.name);
    return undefined;
  }

  function unknown(request: ToolCallRequest, serverId: string | undefined): Error {
    const off = offServerOf(request, serverId, mcp.servers.get().servers);
    if (off) return serverOff(request.tool, off);
    const candidates = entries().filter((entry) => entry.enabled && isOffered(request, entry));
    const names =
      serverId === undefined
        ? candidates.map((entry) => entry.modelName)
        : candidates.filter((entry) => entry.serverId === serverId).map((entry) => entry.name);
    return unknownTool(request.tool, nearestNames(request.tool, names));
  }

  return async (request, signal) => {
    const present = look(request);
    const tool = forCaller(request, present);
    if (tool) return tool;
    const server = mcp.find(request.serverId);
    if (server && !present) {
      await mcp.ready(server.id, signal);
      const started = forCaller(request, look(request));
      if (started) return started;
    }
    if (!server && !present && request.serverId !== '' && request.serverId !== '?') {
      const names = mcp.servers.get().servers.map(({ name }) => name);
      throw unknownServer(request.serverId, nearestNames(request.serverId, names));
    }
    throw unknown(request, server?.id);
  };
}
