import { ownServer, unwrapped } from '../catalog/search';
import type { Tools } from '../tools';
import { toolSource, unknownFlow } from './flow';

/** Of a definition, in a note: a shorter one could be guessed. */
const writtenLength = 12;

/** What calls read, by the names that stand in a note. */
export function createSourceOf({
  find,
  byModelName,
}: Pick<Tools, 'find' | 'byModelName'>): Tools['sourceOf'] {
  return ({ server, tool, arguments: args, definition }) => {
    const isOwn = server.toLowerCase() === ownServer;
    if (isOwn && tool === 'find_tools') return null;
    const inner = isOwn ? unwrapped(args) : null;
    const entry = inner ? byModelName(inner.tool) : find(server, tool);
    const isSame =
      definition === undefined ||
      (definition.length >= writtenLength && entry?.definition.startsWith(definition) === true);
    const { reads } = entry && isSame ? entry.flow : unknownFlow;
    const name = entry?.serverName ?? server;
    const source = toolSource(name, entry?.name ?? inner?.tool ?? tool, inner?.arguments ?? args, reads);
    return { ...source, serverId: entry && isSame ? entry.serverId : null };
  };
}
