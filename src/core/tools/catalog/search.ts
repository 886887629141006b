import { z } from 'zod';
import type { CallOutcome, ToolEntry } from '../../../contract/tools';
import { toolFinder } from '../../../search/find-tools';
import { ownOutcome } from '../request/own-outcome';
import type { CallStep, ToolCallRequest } from '../request/request';

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
  revision: '',
  tokens: 150,
  enabled: true,
  approval: 'allow',
  changed: false,
  grants: [],
  timeout: null,
  flow: { reads: [], sends: false, by: 'app' },
});

export const findTools = own({
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
  const original = JSON.stringify(unwrapped(args)?.arguments ?? {});
  return (step) => {
    if (step.kind !== 'running') return onStep(step);
    const isChanged = JSON.stringify(step.arguments) !== original;
    onStep({ ...step, arguments: isChanged ? { ...args, arguments: step.arguments } : args });
  };
}

/** What `find_tools` answers; `issues`: what is wrong with the question. */
export function answerSearch(
  { callId, arguments: args }: Pick<ToolCallRequest, 'callId' | 'arguments'>,
  tools: readonly ToolEntry[],
  issues: readonly string[],
  at: number,
): CallOutcome {
  const { query, limit } = Find.parse(args);
  const matches = toolFinder(tools)(query).slice(0, limit);
  const text =
    issues.length > 0
      ? `The arguments do not fit: ${issues.join('; ')}.`
      : query.trim() === ''
        ? tools.map(({ modelName }) => modelName).join('\n')
        : matches.length === 0
          ? 'No tool does that.'
          : JSON.stringify(
              matches.map(({ modelName, description, inputSchema }) => ({
                tool: modelName,
                description,
                inputSchema,
              })),
            );
  return ownOutcome(callId, issues.length > 0 ? 'error' : 'ok', text, at);
}
