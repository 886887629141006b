import type { Run } from '../../contract/chat';
import type { HealthReport } from '../../contract/health';
import type { HistoryEntry } from '../../contract/history';
import type { ProviderEntry, Vendor } from '../../contract/providers';
import type { VaultEntry } from '../../contract/vault';
import { exampleServers } from './example-servers';

const now = Date.now();
const wave = (at: number, size: number) =>
  Math.round(size * (1 + 0.6 * Math.sin(at / 3) + ((at * 7919) % 13) / 10));

const folders = ['archive', 'archive/2025', 'daily', 'people', 'projects', 'projects/Apollo', 'reading'];
const notes = [
  'Welcome.md',
  'Inbox.md',
  'Ideas for the garden.md',
  'daily/2026-11-20.md',
  'daily/2026-11-21.md',
  'people/Ada.md',
  'people/Grace.md',
  'projects/Apollo/Overview.md',
  'projects/Apollo/Risks.md',
  'projects/Apollo/Budget 2.md',
  'projects/Apollo/Budget 10.md',
  'projects/Roadmap.md',
  'reading/A very long title of a note that does not fit into any side bar of usual width.md',
  'archive/2025/Retrospective.md',
  '项目计划.md',
];

export const exampleEntries: VaultEntry[] = [
  ...folders.map((path) => ({ path, kind: 'folder' as const, size: 0, modified: now })),
  ...notes.map((path, at) => ({
    path,
    kind: 'note' as const,
    size: 2_000 + at,
    modified: now - at * 3_600_000,
  })),
  { path: 'projects/Apollo/plan.pdf', kind: 'file', size: 120_000, modified: now },
  { path: 'projects/map.canvas', kind: 'file', size: 4_000, modified: now },
];

export const exampleVendors: Vendor[] = [
  ['anthropic', 'Anthropic', 'anthropic-messages', 'claude-sonnet-4-5', 'ANTHROPIC_API_KEY'],
  ['openai', 'OpenAI', 'openai-responses', 'gpt-5-mini', 'OPENAI_API_KEY'],
  ['gemini', 'Google Gemini', 'gemini-generateContent', 'gemini-2.5-flash', 'GEMINI_API_KEY'],
  ['ollama', 'Ollama', 'ollama-chat', 'qwen3', ''],
  ['demo', 'Demo', 'demo', 'demo', ''],
].map(([id = '', label = '', format = '', model = '', key = '']) => ({
  id,
  label,
  formats: id === 'openai' ? ['openai-responses', 'openai-chat'] : [format as Vendor['formats'][number]],
  baseUrls: [{ label: 'Standard', url: `https://api.${id}.example/v1` }],
  needsKey: key !== '',
  keyVariables: key === '' ? [] : [key],
  keyPage: key === '' ? null : `https://console.${id}.example/keys`,
  defaultModel: model,
  models: [model, `${model}-preview`],
  address: id === 'ollama' ? 'local' : 'known',
  webSearch: true,
}));

export const exampleProviders: ProviderEntry[] = [
  {
    id: 'p1',
    vendor: 'anthropic',
    tag: 'Claude',
    model: 'claude-sonnet-4-5',
    label: 'Anthropic',
    key: 'stored',
    isDefault: true,
    keyRefused: false,
    tagTaken: null,
  },
  {
    id: 'p2',
    vendor: 'openai',
    tag: 'GPT',
    model: 'gpt-5-mini',
    label: 'OpenAI',
    key: 'missing',
    isDefault: false,
    keyRefused: false,
    tagTaken: null,
  },
  {
    id: 'p3',
    vendor: 'ollama',
    tag: 'Local',
    model: 'qwen3',
    label: 'Ollama',
    key: 'not-needed',
    isDefault: false,
    keyRefused: false,
    tagTaken: null,
  },
];

export const exampleRuns: Run[] = [
  {
    kind: 'answer',
    runId: 'run-1',
    path: 'projects/Apollo/Overview.md',
    provider: 'Anthropic',
    model: 'claude-sonnet-4-5',
    tag: 'Claude',
    phase: { kind: 'calling', running: 1, asked: 0 },
    round: 2,
    startedAt: now - 14_000,
    finishedAt: null,
    characters: 1_840,
    usage: { inputTokens: 4_210, outputTokens: 612 },
    cost: 0.0218,
    calls: [
      {
        callId: 'c1',
        server: 'memory',
        tool: 'search_nodes',
        state: 'running',
        startedAt: now - 2_000,
        ms: null,
        progress: null,
      },
    ],
  },
];

export const exampleHealth: HealthReport = {
  servers: exampleServers.map((server, at) => {
    const points = server.tools === null ? 0 : 60;
    return {
      serverId: server.id,
      name: server.name,
      state: server.state,
      responseTimes: Array.from({ length: points }, (_, n) => ({
        at: now - (points - n) * 30_000,
        ms: wave(n + at * 5, 30 + at * 25),
      })),
      p50: points ? 34 + at * 20 : null,
      p95: points ? 88 + at * 60 : null,
      calls: points ? 140 - at * 20 : 0,
      successRate: points ? 1 - at * 0.013 : null,
      errors: server.lastError ? [server.lastError] : [],
      lastSuccess: points ? now - at * 40_000 : null,
      upSince: points ? now - 92 * 60_000 : null,
      restarts: at % 3,
    };
  }),
  callsPerMinute: Array.from({ length: 60 }, (_, at) => Math.max(0, wave(at, 3) - 2)),
  slowestTools: [
    { server: 'filesystem', tool: 'search_files', p95: 3_420, calls: 12 },
    { server: 'filesystem', tool: 'directory_tree', p95: 1_180, calls: 5 },
    { server: 'vault', tool: 'search_notes', p95: 212, calls: 64 },
    { server: 'memory', tool: 'read_graph', p95: 96, calls: 31 },
  ],
  providers: [
    { provider: 'Anthropic', runs: 41, firstByteMs: 620, tokensPerSecond: 84, failures: 1 },
    { provider: 'Ollama', runs: 6, firstByteMs: 1_840, tokensPerSecond: 31, failures: 0 },
  ],
};

const outcomes = ['ok', 'ok', 'ok', 'error', 'ok', 'denied', 'ok', 'cancelled'] as const;
export const exampleHistory: HistoryEntry[] = Array.from({ length: 900 }, (_, at) => {
  const status = outcomes[at % outcomes.length] ?? 'ok';
  const [serverName, tool] = (
    [
      ['memory', 'search_nodes'],
      ['vault', 'read_note'],
      ['filesystem', 'search_files'],
    ] as const
  )[at % 3] ?? ['', ''];
  return {
    id: 900 - at,
    callId: `h${at}`,
    at: now - at * 410_000 - (at % 13) * (at % 7) * 260_000,
    by: at % 4 === 1 ? 'person' : at % 11 === 3 ? 'hook' : 'model',
    serverId: `srv-${serverName}`,
    serverName,
    tool,
    path: at % 5 === 4 ? null : 'projects/Apollo/Overview.md',
    arguments: JSON.stringify({ query: 'Apollo', limit: 20, nested: { folders: ['projects', 'people'] } }),
    status,
    ms: wave(at, 60),
    resultBytes: 900 + at * 531,
    cached: at % 9 === 2,
    approval: status === 'denied' ? 'denied by you' : 'always allowed for this tool',
    error: status === 'error' ? 'Error: the folder “/etc” is outside the allowed folders' : null,
  };
});
