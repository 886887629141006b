import { estimateTokenCount } from 'tokenx';
import type { ToolEntry } from '../../contract/tools';
import { inert, inertWords } from '../foundation';
import type { CatalogTool } from '../mcp';
import { lastUsedKey } from './history';
import { modelNames } from './names';

/** What a call of a tool meets now, and why. */
export type Standing = Pick<ToolEntry, 'approval' | 'changed' | 'grants'>;

/** The tools of all servers with their names for models, what they weigh and when they were last used. */
export function createCatalog(): (
  tools: readonly CatalogTool[],
  standing: (tool: CatalogTool) => Standing,
  lastUsed: ReadonlyMap<string, number>,
) => ToolEntry[] {
  const weights = new Map<string, number>();

  function weightOf(tool: CatalogTool, modelName: string): number {
    const known = weights.get(tool.definition);
    if (known !== undefined) return known;
    const sent = { name: modelName, description: tool.description, input_schema: tool.inputSchema };
    const weight = estimateTokenCount(JSON.stringify(sent));
    weights.set(tool.definition, weight);
    return weight;
  }

  return (tools, standing, lastUsed) => {
    const names = modelNames(tools);
    return tools.map((tool, index) => {
      const modelName = names[index] ?? tool.name;
      const words = readable(tool);
      return {
        serverId: tool.serverId,
        serverName: tool.serverName,
        name: tool.name,
        modelName,
        ...words,
        outputSchema: tool.outputSchema as ToolEntry['outputSchema'],
        annotations: tool.annotations,
        ...(tool.icon !== undefined && { icon: tool.icon }),
        ...(tool.viewUri !== undefined && { viewUri: tool.viewUri }),
        ...(tool.callers && { callers: tool.callers }),
        definition: tool.definition,
        tokens: weightOf(tool, modelName),
        enabled: tool.enabled,
        ...standing(tool),
        timeout: tool.ownTimeout,
        lastUsed: lastUsed.get(lastUsedKey(tool.serverId, tool.name)) ?? null,
      };
    });
  };
}

type Words = Pick<ToolEntry, 'title' | 'description' | 'inputSchema'>;
const readBefore = new WeakMap<CatalogTool, Words>();

/** What a server says of its tool, with nothing in it that a model reads and a person does not see. */
function readable(tool: CatalogTool): Words {
  const known = readBefore.get(tool);
  if (known) return known;
  const words: Words = {
    title: inert(tool.title),
    description: inert(tool.description),
    // Schemas came as JSON.
    inputSchema: inertWords(tool.inputSchema as ToolEntry['inputSchema']),
  };
  readBefore.set(tool, words);
  return words;
}

const shownBefore = new WeakMap<CatalogTool, string>();

/** What a person is shown of a definition when it has changed. Kept as long as the tool, for it is asked for at every call. */
export function shownDefinition(tool: CatalogTool): string {
  const known = shownBefore.get(tool);
  if (known !== undefined) return known;
  const shown = printDefinition(tool);
  shownBefore.set(tool, shown);
  return shown;
}

function printDefinition(tool: CatalogTool): string {
  const { title, description, inputSchema, outputSchema, annotations, viewUri, callers, origin } = tool;
  return JSON.stringify(
    { name: tool.name, title, description, inputSchema, outputSchema, annotations, viewUri, callers, origin },
    null,
    2,
  );
}
