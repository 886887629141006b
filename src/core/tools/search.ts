import { z } from 'zod';
import type { CallOutcome, ToolEntry } from '../../contract/tools';
import { compileSchema } from '../foundation';
import type { ToolCallRequest } from './door';
import { ownOutcome } from './own-outcome';

/** The app's own pair of tools, offered in place of many: one finds the others, one calls them. */
export const ownServer = 'interlinear';

const own = (
  entry: Pick<ToolEntry, 'name' | 'title' | 'description' | 'inputSchema' | 'annotations'>,
): ToolEntry => ({
  ...entry,
  serverId: ownServer,
  serverName: ownServer,
  modelName: entry.name,
  outputSchema: null,
  definition: '',
  tokens: 150,
  enabled: true,
  approval: 'allow',
  timeout: null,
  lastUsed: null,
});

const findTools = own({
  name: 'find_tools',
  title: 'Find tools',
  description:
    'Finds tools by what they do. There are more tools than can be listed here: look here before you say that something cannot be done. Answers names, descriptions and the schema of their arguments.',
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'A few words for what is to be done; empty lists all names.' },
      limit: { type: 'integer', minimum: 1, maximum: 20 },
    },
    required: ['query'],
  },
  annotations: { readOnly: true },
});
const callTool = own({
  name: 'call_tool',
  title: 'Call a tool',
  description: 'Calls a tool that find_tools has found.',
  inputSchema: {
    type: 'object',
    properties: {
      tool: { type: 'string', description: 'The name as find_tools gave it.' },
      arguments: { type: 'object', description: 'As the schema of that tool says.' },
    },
    required: ['tool'],
  },
  annotations: {},
});
export const ownTools: readonly ToolEntry[] = [findTools, callTool];

const Find = z.object({ query: z.string().catch(''), limit: z.number().int().min(1).max(20).catch(5) });
const Wrapped = z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()).catch({}) });

/** The call that `call_tool` stands for; null where the arguments name none. */
export function unwrapped(args: Readonly<Record<string, unknown>>): z.infer<typeof Wrapped> | null {
  const { success, data } = Wrapped.safeParse(args);
  return success ? data : null;
}

/** What `find_tools` answers, or what is wrong with the question. */
export function answerSearch(
  { callId, arguments: args }: Pick<ToolCallRequest, 'callId' | 'arguments'>,
  tools: readonly ToolEntry[],
  at: number,
): CallOutcome {
  const check = compileSchema(findTools.inputSchema);
  const issues = check.kind === 'usable' ? check.check(args) : [];
  const { query, limit } = Find.parse(args);
  const found = search(tools, query, limit);
  const text =
    issues.length > 0
      ? `The arguments do not fit: ${issues.join('; ')}.`
      : query.trim() === ''
        ? tools.map(({ modelName }) => modelName).join('\n')
        : found.length === 0
          ? 'No tool does that.'
          : JSON.stringify(
              found.map(({ modelName, description, inputSchema }) => ({
                tool: modelName,
                description,
                inputSchema,
              })),
            );
  return ownOutcome(callId, issues.length > 0 ? 'error' : 'ok', text, at);
}

/** Best first: words of the question in the name count most, then in title and server, then in the description. */
export function search(tools: readonly ToolEntry[], query: string, limit: number): ToolEntry[] {
  const wanted = words(query);
  return tools
    .map((tool) => {
      const name = words(tool.name);
      const title = words(`${tool.title} ${tool.serverName}`);
      const description = words(tool.description);
      const score = wanted.reduce(
        (sum, word) =>
          sum + (has(name, word) ? 4 : 0) + (has(title, word) ? 2 : 0) + (has(description, word) ? 1 : 0),
        0,
      );
      return { tool, score };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.tool.modelName.localeCompare(b.tool.modelName))
    .slice(0, limit)
    .map(({ tool }) => tool);
}

/** A word also counts for its other endings: file, files, filed. */
const has = (list: readonly string[], word: string) =>
  list.some(
    (one) => one === word || (word.length > 3 && one.startsWith(word.slice(0, Math.max(4, word.length - 2)))),
  );

const words = (text: string): string[] =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    // A single letter says nothing; a single sign of another script may.
    .filter((word) => word !== '' && !/^[a-z]$/.test(word));
