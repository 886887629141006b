import { createObservable } from '../../../src/core/foundation';
import type { CatalogTool, Mcp, McpCallResult } from '../../../src/core/mcp';
import type { createTools } from '../../../src/core/tools';

export type ToolWork = (
  args: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
) => Promise<McpCallResult> | McpCallResult;

export const text = (value: string): McpCallResult => ({
  isError: false,
  parts: [{ kind: 'text', text: value }],
  structured: undefined,
});

export function catalogTool(changes: Partial<CatalogTool> = {}): CatalogTool {
  return {
    serverId: 'server-1',
    serverName: 'memory',
    name: 'find',
    title: 'Find',
    description: 'Finds things.',
    inputSchema: { type: 'object', properties: { query: { type: 'string' } }, additionalProperties: true },
    outputSchema: null,
    annotations: {},
    definition: 'aaaaaaaaaaaaaaaaaaaa',
    origin: 'origin-1',
    vault: null,
    account: 'account-1',
    enabled: true,
    approval: 'allow',
    ownTimeout: null,
    timeout: null,
    concurrency: null,
    longRunning: false,
    flowRules: { '*': { reads: [], sends: false } },
    ...changes,
  };
}

/** Servers that are up, and whose tools are functions of the test. */
export function createScriptedMcp(tools: CatalogTool[], work: Record<string, ToolWork>) {
  const made: { tool: string; args: unknown; timeoutMs: number }[] = [];
  const mcp: Parameters<typeof createTools>[0]['mcp'] = {
    servers: createObservable<ReturnType<Mcp['servers']['get']>>({
      servers: [],
      problems: [],
      paused: false,
    }),
    setToolTimeout: () => Promise.resolve(),
    setToolFlow: (serverId, { name }, flow) => {
      mcp.tools.update((list) =>
        list.map((tool) =>
          tool.serverId === serverId && tool.name === name
            ? { ...tool, flowRules: flow ? { [name]: flow } : {} }
            : tool,
        ),
      );
      return Promise.resolve();
    },
    tools: createObservable(tools),
    find: () => undefined,
    ready: () => Promise.resolve(),
    async call(_serverId, tool, args, { timeoutMs, signal }) {
      made.push({ tool, args, timeoutMs });
      const run = work[tool];
      if (!run) throw new Error(`no work for ${tool}`);
      return run(args, signal);
    },
    resume: () => Promise.reject(new Error('no tasks here')),
    setToolEnabled: () => Promise.resolve(),
    setToolApproval: (serverId, name, approval) => {
      mcp.tools.update((list) =>
        list.map((tool) => (tool.serverId === serverId && tool.name === name ? { ...tool, approval } : tool)),
      );
      return Promise.resolve();
    },
  };
  return { mcp, made };
}
