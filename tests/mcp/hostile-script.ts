import { createDamage, type Damage } from './damage';

/**
 * What a server answers, by method: for each question the next one of the list. Each is some lines, of which the last is the
 * answer; `"$ID"` stands for the question's id. Whole ones are among them, so that what comes after a question is reached.
 */
export type Script = Record<string, string[][]>;

/** A script from a seed. `length`: answers of each method. */
export function hostileScript(seed: number, length: number, modern: boolean): Script {
  const damage = createDamage(seed);
  const script: Script = {};
  for (const [method, answers] of Object.entries(goodAnswers))
    script[method] = Array.from({ length }, () => said(damage, answers, modern));
  return script;
}

/** What a server says that is as it should be. */
export function goodScript(modern: boolean): Record<string, string> {
  const { 'server/discover': discover, ...others } = goodAnswers;
  const spoken = modern && discover ? { ...others, 'server/discover': discover } : others;
  return Object.fromEntries(
    Object.entries(spoken).map(([method, [first]]) => [method, whole(first ?? {}, modern)]),
  );
}

/** What a server says without being asked. */
export const unaskedLines = ({ line, oneOf }: Damage, count: number): string[] =>
  Array.from({ length: count }, () => line(oneOf(unasked)).replaceAll('\n', ' '));

/** Where hands are shaken. */
export const handshake: ReadonlySet<string> = new Set([
  'initialize',
  'server/discover',
  'ping',
  'tools/list',
]);

function said({ random, below, oneOf, line }: Damage, answers: readonly object[], modern: boolean): string[] {
  const result = oneOf(answers);
  const answer = random() < 0.3 ? whole(result, modern) : line(message(result, modern));
  const before = Array.from({ length: random() < 0.4 ? 1 + below(2) : 0 }, () => line(oneOf(unasked)));
  return [...before, answer].map((text) => text.replaceAll('\n', ' '));
}

const message = (result: object, modern: boolean) => ({
  jsonrpc: '2.0',
  id: '$ID',
  result: modern ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...result } : result,
});
const whole = (result: object, modern: boolean) => JSON.stringify(message(result, modern));

/** With its id in the place that it is meant for. */
export const asked = (text: string, id: unknown): string =>
  text.replaceAll('"$ID"', JSON.stringify(id)).replaceAll('$ID', String(id));

const capabilities = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  completions: {},
  logging: {},
  tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
  extensions: { 'io.modelcontextprotocol/tasks': {} },
};
const serverInfo = {
  name: 'hostile',
  title: 'Hostile',
  version: '1',
  icons: [{ src: 'data:image/png;base64,AA' }],
};
const schema = { type: 'object', properties: { n: { type: 'number', description: 'n' } }, required: [] };
const content = [
  { type: 'text', text: 'x', annotations: { audience: ['user'], priority: 1 } },
  { type: 'image', data: 'AAAA', mimeType: 'image/png' },
  { type: 'resource', resource: { uri: 'memo://a', mimeType: 'text/plain', text: 'x' } },
  { type: 'resource_link', uri: 'memo://b', name: 'b' },
];
const task = {
  taskId: 't',
  status: 'working',
  statusMessage: 'on it',
  createdAt: '2026-11-01T00:00:00Z',
  lastUpdatedAt: '2026-11-01T00:00:00Z',
  ttl: 60_000,
  ttlMs: 60_000,
  pollInterval: 1,
  pollIntervalMs: 1,
};
const form = {
  mode: 'form',
  message: 'Who?',
  requestedSchema: {
    type: 'object',
    properties: { name: { type: 'string', default: 'Ada' } },
    required: ['name'],
  },
};

/** The first of each is what a good server would say. */
const goodAnswers: Record<string, readonly object[]> = {
  initialize: [
    { protocolVersion: '2025-11-25', capabilities, serverInfo, instructions: 'Be good.' },
    { protocolVersion: '2025-03-26', capabilities: { tools: {} }, serverInfo },
    { protocolVersion: '1999-01-01', capabilities: {}, serverInfo },
  ],
  'server/discover': [
    { supportedVersions: ['2026-07-28'], capabilities, serverInfo, instructions: 'Be good.' },
    { supportedVersions: ['1999-01-01'], capabilities: {}, serverInfo },
    { supportedVersions: [], capabilities },
  ],
  'tools/list': [
    {
      tools: [
        { name: 'say', inputSchema: schema },
        { name: 'dig', inputSchema: schema, execution: { taskSupport: 'optional' } },
      ],
    },
    {
      tools: [{ name: 'say', inputSchema: schema, outputSchema: schema, annotations: { title: 'Say' } }],
      nextCursor: 'more',
    },
    { tools: [], nextCursor: '' },
  ],
  'prompts/list': [
    { prompts: [{ name: 'p', title: 'P', arguments: [{ name: 'a', description: 'd', required: true }] }] },
    { prompts: [{ name: 'q', icons: [] }], nextCursor: 'more' },
  ],
  'resources/list': [
    {
      resources: [
        { uri: 'memo://a', name: 'a', mimeType: 'text/plain', size: 1, annotations: { priority: 1 } },
      ],
    },
    { resources: [{ uri: 'memo://b', name: 'b' }], nextCursor: 'more' },
  ],
  'resources/templates/list': [
    { resourceTemplates: [{ uriTemplate: 'memo://{name}', name: 't', mimeType: 'text/plain' }] },
    { resourceTemplates: [], nextCursor: 'more' },
  ],
  'resources/read': [
    { contents: [{ uri: 'memo://a', mimeType: 'text/plain', text: 'x' }] },
    {
      contents: [
        { uri: 'memo://a', mimeType: 'image/png', blob: 'AAAA' },
        { uri: 'ui://v', mimeType: 'text/html;profile=mcp-app', text: '<p>' },
      ],
    },
  ],
  'prompts/get': [
    {
      description: 'd',
      messages: [
        { role: 'user', content: content[0] },
        { role: 'assistant', content: content[2] },
      ],
    },
    { messages: [{ role: 'user', content }] },
  ],
  'completion/complete': [{ completion: { values: ['a', 'b'], total: 2, hasMore: false } }],
  'tools/call': [
    { content },
    { content: [], structuredContent: { n: 1 }, isError: false },
    { task },
    { resultType: 'task', ...task },
    {
      resultType: 'input_required',
      inputRequests: { a: { method: 'elicitation/create', params: form }, b: { method: 'roots/list' } },
      requestState: 's',
    },
  ],
  'tasks/get': [
    task,
    { ...task, status: 'completed', result: { content } },
    { ...task, status: 'failed', error: { code: -1, message: 'broke' } },
    {
      ...task,
      status: 'input_required',
      inputRequests: { a: { method: 'elicitation/create', params: form } },
    },
    { ...task, status: 'cancelled' },
  ],
  'tasks/result': [{ content }, { content: [], structuredContent: { n: 1 } }],
  'tasks/cancel': [{ ...task, status: 'cancelled' }],
  'tasks/update': [{}],
  'resources/subscribe': [{}],
  'resources/unsubscribe': [{}],
  'logging/setLevel': [{}],
  ping: [{}],
};

const jsonrpc = '2.0';
/** What a server says and asks by itself, before and within the answers. */
const unasked: readonly object[] = [
  {
    jsonrpc,
    id: 's1',
    method: 'sampling/createMessage',
    params: {
      messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }],
      maxTokens: 9,
      systemPrompt: 's',
      modelPreferences: { hints: [{ name: 'm' }], costPriority: 1 },
    },
  },
  {
    jsonrpc,
    id: 's2',
    method: 'sampling/createMessage',
    params: {
      messages: [
        { role: 'assistant', content: [{ type: 'tool_use', id: 'u', name: 't', input: {} }] },
        {
          role: 'user',
          content: [{ type: 'tool_result', toolUseId: 'u', content: [{ type: 'text', text: 'r' }] }],
        },
      ],
      maxTokens: 9,
      tools: [{ name: 't', inputSchema: schema }],
      toolChoice: { mode: 'required' },
    },
  },
  { jsonrpc, id: 'e1', method: 'elicitation/create', params: form },
  {
    jsonrpc,
    id: 'e2',
    method: 'elicitation/create',
    params: { mode: 'url', message: 'Go', url: 'https://example.com/', elicitationId: 'e' },
  },
  { jsonrpc, id: 'r', method: 'roots/list', params: {} },
  { jsonrpc, id: 'p', method: 'ping' },
  {
    jsonrpc,
    id: '$ID',
    error: {
      code: -32_042,
      message: 'go',
      data: {
        elicitations: [{ url: 'https://example.com/', mode: 'url', message: 'm', elicitationId: 'e' }],
      },
    },
  },
  { jsonrpc, method: 'notifications/message', params: { level: 'error', logger: 'l', data: { a: 1 } } },
  {
    jsonrpc,
    method: 'notifications/progress',
    params: { progressToken: '$ID', progress: 1, total: 2, message: 'm' },
  },
  { jsonrpc, method: 'notifications/tasks/status', params: task },
  { jsonrpc, method: 'notifications/resources/updated', params: { uri: 'memo://a' } },
  { jsonrpc, method: 'notifications/tools/list_changed' },
  { jsonrpc, method: 'notifications/prompts/list_changed', params: {} },
  { jsonrpc, method: 'notifications/cancelled', params: { requestId: '$ID', reason: 'r' } },
];
