import { estimateTokenCount } from 'tokenx';
import type { ToolEntry } from '../../../contract/tools';
import { inert, inertWords } from '../../foundation';
import type { CatalogTool } from '../../mcp';
import { modelNames } from './names';
import { toolRevision } from './revision';

/** What a call of a tool meets now, and why. */
export type Standing = Pick<ToolEntry, 'approval' | 'changed' | 'grants' | 'flow'>;

/** Characters that are gone through to weigh definitions: of one, of all new ones together, and of each one beyond that. */
const mostWeighed = { tool: 20_000, inAll: 400_000, least: 200 };

/** The tools of all servers with their names for models, and what they weigh. */
export function createCatalog(): (
  tools: readonly CatalogTool[],
  standing: (tool: CatalogTool) => Standing,
) => ToolEntry[] {
  let weights = new Map<string, number>();

  /** Tokens of a definition; where there is much to weigh, by its beginning. */
  function weightOf(tool: CatalogTool, modelName: string, most: number): { weight: number; weighed: number } {
    const weight = weights.get(tool.definition);
    if (weight !== undefined) return { weight, weighed: 0 };
    const sent = { name: modelName, description: tool.description, input_schema: tool.inputSchema };
    const text = JSON.stringify(sent);
    const sample = text.slice(0, most);
    return {
      weight: Math.round((estimateTokenCount(sample) * text.length) / sample.length),
      weighed: sample.length,
    };
  }

  return (tools, standing) => {
    let room = mostWeighed.inAll;
    const weightsNow = new Map<string, number>();
    const names = modelNames(tools);
    const entries = tools.map((tool, index) => {
      const modelName = names[index] ?? tool.name;
      const words = readable(tool);
      const most = Math.min(mostWeighed.tool, Math.max(mostWeighed.least, room));
      const { weight, weighed } = weightOf(tool, modelName, most);
      room -= weighed;
      weightsNow.set(tool.definition, weight);
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
        revision: toolRevision(tool),
        tokens: weight,
        enabled: tool.enabled,
        ...standing(tool),
        timeout: tool.ownTimeout,
      };
    });
    weights = weightsNow;
    return entries;
  };
}

type Words = Pick<ToolEntry, 'title' | 'description' | 'inputSchema'>;
const readBefore = new WeakMap<CatalogTool, Words>();

/** What a server says of its tool, with nothing in it that a model reads and a person does not see. */
function readable(tool: CatalogTool): Words {
  const previous = readBefore.get(tool);
  if (previous) return previous;
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
  const previous = shownBefore.get(tool);
  if (previous !== undefined) return previous;
  const text = printDefinition(tool);
  shownBefore.set(tool, text);
  return text;
}

function printDefinition(tool: CatalogTool): string {
  const { title, description, inputSchema, outputSchema, annotations, viewUri, callers, origin } = tool;
  return JSON.stringify(
    { name: tool.name, title, description, inputSchema, outputSchema, annotations, viewUri, callers, origin },
    null,
    2,
  );
}
