import MiniSearch from 'minisearch';
import { z } from 'zod';
import type { CallOutcome, ToolEntry } from '../../contract/tools';
import { compileSchema } from '../foundation';
import type { CallStep, ToolCallRequest } from './door';
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
  changed: false,
  grants: [],
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

/** Tells of the call that was asked for, with what the person has changed in the arguments of the one that was meant. */
export function aroundInner(
  { arguments: args }: Pick<ToolCallRequest, 'arguments'>,
  onStep: (step: CallStep) => void,
): (step: CallStep) => void {
  const meant = JSON.stringify(unwrapped(args)?.arguments ?? {});
  return (step) => {
    if (step.kind !== 'running') return onStep(step);
    const isChanged = JSON.stringify(step.arguments) !== meant;
    onStep({ ...step, arguments: isChanged ? { ...args, arguments: step.arguments } : args });
  };
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

/**
 * Best first: rare words of the question count more than common ones, those in a name more than those in title or server,
 * and these more than those in a description. Other endings and a wrong letter still find.
 */
export function search(tools: readonly ToolEntry[], query: string, limit: number): ToolEntry[] {
  const entries = new Map(tools.map((tool) => [tool.modelName, tool]));
  return indexOf(tools)
    .search(query, {
      boost: { name: 2, title: 1.5, serverName: 1.5 },
      prefix: (term) => term.length > 2 || !/^[a-z]/.test(term),
      fuzzy: (term) => (term.length > 3 ? 0.25 : false),
      maxFuzzy: 2,
      weights: { prefix: 0.6, fuzzy: 0.3 },
    })
    .flatMap(({ id }) => entries.get(id as string) ?? [])
    .slice(0, limit);
}

const indexes = new WeakMap<readonly ToolEntry[], MiniSearch<ToolEntry>>();

function indexOf(tools: readonly ToolEntry[]): MiniSearch<ToolEntry> {
  const known = indexes.get(tools);
  if (known) return known;
  const index = new MiniSearch<ToolEntry>({
    idField: 'modelName',
    fields: ['name', 'title', 'serverName', 'description'],
    tokenize: words,
    processTerm: (term) => (stopWords.has(term) ? null : stem(term)),
  });
  // Two of one name cannot be called apart.
  for (const tool of tools) if (!index.has(tool.modelName)) index.add(tool);
  indexes.set(tools, index);
  return index;
}

/** A word also counts for its other endings: file, files, filed, filing. */
const stem = (word: string) =>
  /^[a-z]{5,}$/.test(word) ? word.replace(/(?:ies|ing|ed|es|s|y|e)$/, '') : word;

const stopWords = new Set(
  'an and are as at be by can do does for from has have how if in into is it its me my of on or our that the their then there this to up us use used using was we what when which who will with you your'.split(
    ' ',
  ),
);

const words = (text: string): string[] =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    // A single letter says nothing; a single sign of another script may.
    .filter((word) => word !== '' && !/^[a-z]$/.test(word));
