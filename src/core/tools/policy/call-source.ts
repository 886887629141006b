import type { ToolEntry } from '../../../contract/tools';
import type { CatalogTool } from '../../mcp';
import { findTools, ownServer, unwrapped } from '../catalog/search';
import type { Arguments } from '../request/arguments';
import type { ReadSource } from '../request/call-context';
import type { Accounts } from './accounts';
import { sourceOf, toolSource, unknownFlow } from './flow';

/**
 * What a call reads; null: nothing. `made`: when it was, and the beginning of the definition that it was made with; null: the app
 * answered it. Where the tool of that name is not that one now, the worst is assumed; where its server may have been another one then, or
 * used as somebody else, what it answered is nobody's own. Left out: as it is now.
 */
export type SourceOf = (call: {
  readonly server: string;
  readonly tool: string;
  readonly arguments: Arguments;
  readonly made?: { readonly definition: string | null; readonly at: number };
}) => ReadSource | null;

/** Of a definition, in a note: a shorter one could be guessed. */
const writtenLength = 12;

/** Tools of servers that nobody knows: what is said of them is a stranger's. A program that is known says nothing new of others of its tools. */
export function ofUnknown(entries: readonly ToolEntry[]): ToolEntry[] {
  const appServers = new Set(entries.filter(({ flow }) => flow.by === 'app').map(({ serverId }) => serverId));
  return entries.filter(({ flow, serverId }) => flow.by === 'nobody' && !appServers.has(serverId));
}

/** By the names that stand in a note. */
export function createSourceOf(tools: {
  /** All that a model may find. */
  matching(globs: null): readonly ToolEntry[];
  find(server: string, tool: string): ToolEntry | undefined;
  byModelName(modelName: string): ToolEntry | undefined;
  /** With what stands behind its server. */
  catalogTool(entry: ToolEntry): CatalogTool | undefined;
  readonly accounts: Pick<Accounts, 'holds'>;
}): SourceOf {
  return ({ server, tool, arguments: args, made }) => {
    const isOwn = server.toLowerCase() === ownServer;
    if (isOwn && tool === findTools.name && (!made || made.definition === null))
      return ofUnknown(tools.matching(null)).length === 0
        ? null
        : toolSource(ownServer, tool, args, ['untrusted']);
    const inner = isOwn ? unwrapped(args) : null;
    const entry = inner ? tools.byModelName(inner.tool) : tools.find(server, tool);
    const present = entry && tools.catalogTool(entry);
    const readArgs = inner?.arguments ?? args;
    if (!present || (made && !isMadeWith(present, made.definition)))
      return toolSource(
        entry?.serverName ?? server,
        entry?.name ?? inner?.tool ?? tool,
        readArgs,
        unknownFlow.reads,
      );
    const source = sourceOf(present, readArgs);
    const isSameServer = !made || tools.accounts.holds(present.serverName, present.account, made.at);
    return isSameServer ? source : { ...source, account: null };
  };
}

const isMadeWith = (tool: CatalogTool, written: string | null) =>
  written !== null && written.length >= writtenLength && tool.definition.startsWith(written);
