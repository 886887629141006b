import type { ServerEntry, ServerState } from '../../contract/mcp';

const now = Date.now();
const minute = 60_000;

function server(
  name: string,
  state: ServerState,
  tools: number | null,
  more: Partial<ServerEntry> = {},
): ServerEntry {
  return {
    id: `srv-${name}`,
    name,
    level: 'user',
    transport: 'stdio',
    target: `npx -y @modelcontextprotocol/server-${name}`,
    command: 'npx',
    args: ['-y', `@modelcontextprotocol/server-${name}`],
    url: null,
    env: {},
    headers: {},
    cwd: null,
    sandbox: null,
    autostart: true,
    timeout: null,
    initTimeout: null,
    longRunning: false,
    concurrency: null,
    roots: null,
    revision: '1',
    knowsVault: false,
    monitoring: null,
    checkInterval: null,
    restarts: null,
    logLevel: 'info',
    state,
    tools,
    resources: tools === null ? null : 2,
    prompts: tools === null ? null : 0,
    rejected: [],
    server: tools === null ? null : { name: `${name}-server`, version: '1.4.2', era: 'modern' },
    lastError: null,
    signIn: null,
    ...more,
  };
}

const noise = { code: 'noise', line: 'Usage: browser [options]' } as const;

export const exampleServers: ServerEntry[] = [
  server('vault', { kind: 'ready', since: now - 92 * minute }, 6, {
    level: 'bundled',
    target: 'interlinear-vault',
  }),
  server('memory', { kind: 'ready', since: now - 92 * minute }, 9, {
    env: { MEMORY_FILE_PATH: { kind: 'reference', text: '$' + '{vault}/memory.json' } },
  }),
  server(
    'filesystem',
    { kind: 'degraded', since: now - 4 * minute, reason: { code: 'slow', ms: 3_400 } },
    8,
    {
      target: 'npx -y @modelcontextprotocol/server-filesystem /home/ada/notes',
      rejected: [{ tool: 'watch', number: 9, reason: { code: 'schema-size', what: 'levels', most: 100 } }],
    },
  ),
  server('github', { kind: 'needs-sign-in' }, null, {
    transport: 'http',
    target: 'https://api.githubcopilot.com/mcp/',
    headers: {
      Authorization: { kind: 'hidden', as: `\${secret:github/Authorization}` },
      'X-Toolsets': { kind: 'reference', text: 'repos,issues' },
    },
  }),
  server(
    'search',
    { kind: 'waiting', retryAt: now + 24_000, attempt: 3, reason: { code: 'exited', exitCode: 1 } },
    null,
    {
      lastError: {
        reason: { code: 'not-found', command: 'uvx', path: '/usr/bin:/bin', comesWith: 'uv' },
        at: now - 20_000,
      },
      target: 'uvx mcp-server-search --region eu',
    },
  ),
  server('browser', { kind: 'failed', reason: noise }, null, {
    lastError: { reason: noise, at: now - 14 * minute },
    level: 'vault',
  }),
  server('weather', { kind: 'starting', attempt: 1 }, null, {
    transport: 'sse',
    target: 'https://weather.example.com/sse',
  }),
  server('postgres', { kind: 'disabled', by: 'user', reason: { code: 'switched-off' } }, 4),
  server('maps', { kind: 'disabled', by: 'failures', reason: { code: 'exited', exitCode: 1 } }, null),
];

export const exampleLog = [
  {
    at: now - 95 * minute,
    from: 'app' as const,
    text: 'Starting npx -y @modelcontextprotocol/server-memory',
  },
  { at: now - 94.9 * minute, from: 'stderr' as const, text: 'Knowledge Graph MCP Server running on stdio' },
  { at: now - 94.8 * minute, from: 'app' as const, text: 'Ready: 9 tools, 2 resources' },
  ...Array.from({ length: 40 }, (_, at) => ({
    at: now - (60 - at) * minute,
    from: at % 5 === 0 ? ('log' as const) : ('stderr' as const),
    text:
      at % 7 === 3
        ? 'warning: <img src=x onerror=alert(1)> is not an entity name, kept as text'
        : `request ${at + 1}: tools/call finished in ${20 + ((at * 37) % 90)} ms`,
  })),
];
