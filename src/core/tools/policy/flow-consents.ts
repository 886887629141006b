import type { FlowSource } from '../../../contract/flow';
import type { CatalogTool } from '../../mcp';
import { keyOf, sourceOf } from './flow';

/** What may be carried outside in which conversation, until the app ends; nothing of it is kept on disk. */
export interface FlowConsents {
  covers(conversation: string, tool: CatalogTool, carried: readonly FlowSource[]): boolean;
  /** The person saw these sources, and let this tool go on with them. */
  add(conversation: string, tool: CatalogTool, carried: readonly FlowSource[]): void;
}

export function createFlowConsents(): FlowConsents {
  const consents = new Map<string, { readonly tools: Set<string>; readonly sources: Set<string> }>();
  const toolKey = ({ serverId, name, definition, origin }: CatalogTool) =>
    JSON.stringify([serverId, name, definition, origin]);

  return {
    covers(conversation, tool, carried) {
      const agreed = consents.get(conversation);
      if (!agreed?.tools.has(toolKey(tool))) return false;
      return carried.every((source) => agreed.sources.has(keyOf(source)));
    },
    add(conversation, tool, carried) {
      const { tools, sources } = consents.get(conversation) ?? { tools: new Set(), sources: new Set() };
      tools.add(toolKey(tool));
      // What the tool itself reads from now on is no news.
      for (const source of [...carried, sourceOf(tool, {})]) sources.add(keyOf(source));
      consents.set(conversation, { tools, sources });
    },
  };
}
