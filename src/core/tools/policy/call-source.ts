import type { ToolEntry } from '../../../contract/tools';
import { ownServer, unwrapped } from '../catalog/search';
import type { Arguments } from '../request/arguments';
import type { ReadSource } from '../request/call-context';
import { toolSource, unknownFlow } from './flow';

/**
 * What a call reads; null: nothing. `definition`: the beginning of the one that it was made with; where the tool of that name is not
 * that one now, the worst is assumed. Left out: as it is now.
 */
export type SourceOf = (call: {
  readonly server: string;
  readonly tool: string;
  readonly arguments: Arguments;
  readonly definition?: string;
}) => ReadSource | null;

/** Of a definition, in a note: a shorter one could be guessed. */
const writtenLength = 12;

/** Tools of servers that nobody knows: what is said of them is a stranger's. A program that is known says nothing new of others of its tools. */
export function ofUnknown(entries: readonly ToolEntry[]): ToolEntry[] {
  const known = new Set(entries.filter(({ flow }) => flow.by === 'app').map(({ serverId }) => serverId));
  return entries.filter(({ flow, serverId }) => flow.by === 'nobody' && !known.has(serverId));
}

/** By the names that stand in a note. */
export function createSourceOf(tools: {
  /** All that a model may find. */
  matching(globs: null): readonly ToolEntry[];
  find(server: string, tool: string): ToolEntry | undefined;
  byModelName(modelName: string): ToolEntry | undefined;
}): SourceOf {
  return ({ server, tool, arguments: args, definition }) => {
    const isOwn = server.toLowerCase() === ownServer;
    if (isOwn && tool === 'find_tools')
      return ofUnknown(tools.matching(null)).length === 0
        ? null
        : toolSource(ownServer, tool, args, ['untrusted']);
    const inner = isOwn ? unwrapped(args) : null;
    const entry = inner ? tools.byModelName(inner.tool) : tools.find(server, tool);
    const isSame =
      definition === undefined ||
      (definition.length >= writtenLength && entry?.definition.startsWith(definition) === true);
    const { reads } = entry && isSame ? entry.flow : unknownFlow;
    const name = entry?.serverName ?? server;
    const source = toolSource(name, entry?.name ?? inner?.tool ?? tool, inner?.arguments ?? args, reads);
    return { ...source, serverId: entry && isSame ? entry.serverId : null };
  };
}
