import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ModelRequest, NeutralMessage } from '../../src/core/providers';
import { type ProviderServer, startProviderServer } from '../provider-server';
import { collect, providerAt, testProviders } from './support';

type Json = Record<string, unknown>;
const mark = { type: 'ephemeral' };
const claudeSaid = (usage: Json) =>
  [
    { type: 'message_start', message: { usage } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Good.' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 10 } },
    { type: 'message_stop' },
  ]
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');

let server: ProviderServer;
beforeEach(async () => {
  server = await startProviderServer();
});
afterEach(() => server[Symbol.asyncDispose]());

const tools = ['a', 'b'].map((name) => ({ name, description: name, inputSchema: { type: 'object' } }));
const user = (text: string): NeutralMessage => ({ role: 'user', text, attachments: [] });
const round = (id: string): NeutralMessage[] => [
  { role: 'assistant', text: 'Let me see.', toolCalls: [{ id, name: 'a', arguments: { n: id } }] },
  { role: 'tool', callId: id, name: 'a', text: `Result of ${id}`, isError: false, images: [] },
];

/** The requests of a conversation: a question, two rounds of tools, the answer, and the next question. */
const loop: NeutralMessage[] = [
  { role: 'system', text: 'Be brief.' },
  user('First'),
  ...round('toolu_01AAAAAAAAAA'),
  ...round('toolu_01BBBBBBBBBB'),
  { role: 'assistant', text: 'Done.', toolCalls: [] },
  user('Second'),
];
const lengths = [2, 4, 6, 8];

async function bodies(vendor: string, format: 'anthropic-messages' | 'openai-chat', model: string) {
  const provider = await providerAt(server.url, vendor, format, { model });
  for (const length of lengths) {
    const request: ModelRequest = { model, messages: loop.slice(0, length), tools };
    const { error } = await collect(provider.stream(request, AbortSignal.timeout(5_000)));
    expect(error).toBeNull();
  }
  return server.requests.map(({ body }) => body as Json & { messages: Json[] });
}

/** Everything that comes before each mark, as the provider would hash it, in the order in which it does. */
function prefixes({ tools: offered, system, messages }: Json): string[] {
  const pieces = [offered, system ?? [], ...(messages as Json[])].flat().flatMap((piece) => {
    const { content, ...rest } = piece as Json;
    // OpenRouter makes the same of a text and of a list with one part of text.
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    return Array.isArray(parts) ? [{ rest }, ...parts.map((part) => ({ part }))] : [piece];
  });
  const found: string[] = [];
  let sofar = '';
  for (const piece of pieces) {
    const text = JSON.stringify(piece);
    sofar += text.replaceAll(`,"cache_control":${JSON.stringify(mark)}`, '');
    if (text.includes('"cache_control"')) found.push(sofar);
  }
  return found;
}

test('Claude is told what stays: tools, system, the question and the newest results', async () => {
  server.answer({ body: claudeSaid({ input_tokens: 5, output_tokens: 1 }) });
  const sent = await bodies('anthropic', 'anthropic-messages', 'claude-sonnet-5-5');
  const third = sent[2];
  expect(third?.tools).toEqual([
    { name: 'a', description: 'a', input_schema: { type: 'object', properties: {} } },
    { name: 'b', description: 'b', input_schema: { type: 'object', properties: {} }, cache_control: mark },
  ]);
  expect(third?.system).toEqual([{ type: 'text', text: 'Be brief.', cache_control: mark }]);
  expect(third?.messages[0]).toEqual({
    role: 'user',
    content: [{ type: 'text', text: 'First', cache_control: mark }],
  });
  expect(JSON.stringify(third?.messages[2])).not.toContain('cache_control');
  expect(third?.messages[4]).toEqual({
    role: 'user',
    content: [
      {
        type: 'tool_result',
        tool_use_id: 'toolu_01BBBBBBBBBB',
        content: [{ type: 'text', text: 'Result of toolu_01BBBBBBBBBB' }],
        cache_control: mark,
      },
    ],
  });
});

test.each([
  ['anthropic', 'anthropic-messages', 'claude-sonnet-5-5', claudeSaid({ input_tokens: 5, output_tokens: 1 })],
  [
    'openrouter',
    'openai-chat',
    'anthropic/claude-sonnet-5.5',
    'data: {"choices":[{"delta":{"content":"Good."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
  ],
] as const)(
  'each request of %s begins with what the one before marked',
  async (vendor, format, model, body) => {
    server.answer({ body });
    const sent = await bodies(vendor, format, model);
    const marked = sent.map(prefixes);
    for (const [at, places] of marked.entries()) {
      expect(places.length).toBeGreaterThan(1);
      expect(places.length).toBeLessThanOrEqual(4);
      const before = marked[at - 1]?.at(-1);
      const whole = prefixes({
        ...sent[at],
        messages: [...(sent[at]?.messages ?? []), { end: { cache_control: mark } }],
      });
      if (before) expect(whole.at(-1)?.startsWith(before)).toBe(true);
    }
  },
);

test('other models of OpenRouter get their words as they are; what it cost is asked for', async () => {
  server.answer({
    body: 'data: {"choices":[{"delta":{"content":"Good."},"finish_reason":"stop"}],"usage":{"prompt_tokens":100,"completion_tokens":7,"cost":0.0123,"prompt_tokens_details":{"cached_tokens":40,"cache_write_tokens":20}}}\n\ndata: [DONE]\n\n',
  });
  const provider = await providerAt(server.url, 'openrouter', 'openai-chat', { model: 'openai/gpt-5.5' });
  const { usage, cost } = await collect(
    provider.stream(
      { model: 'openai/gpt-5.5', messages: loop.slice(0, 2), tools },
      AbortSignal.timeout(5_000),
    ),
  );
  expect(JSON.stringify(server.requests[0]?.body)).not.toContain('cache_control');
  expect(server.requests[0]?.body).toMatchObject({ usage: { include: true } });
  expect(usage).toEqual({
    inputTokens: 100,
    outputTokens: 7,
    cachedInputTokens: 40,
    cacheWriteTokens: 20,
  });
  expect(cost).toBe(0.0123);
});

test('what is read from the cache costs a tenth or less, what is written a quarter more', async () => {
  server.answer({
    body: claudeSaid({
      input_tokens: 1_000,
      output_tokens: 1,
      cache_creation_input_tokens: 10_000,
      cache_read_input_tokens: 100_000,
    }),
  });
  const provider = await testProviders().temporary(
    { id: 'c', vendor: 'anthropic', tag: 'C', model: 'claude-opus-5', baseUrl: server.url },
    'test-key-123456',
  );
  const { usage } = await collect(
    provider.stream(
      { model: 'claude-opus-5', messages: loop.slice(0, 2), tools },
      AbortSignal.timeout(5_000),
    ),
  );
  expect(usage).toEqual({
    inputTokens: 111_000,
    outputTokens: 10,
    cachedInputTokens: 100_000,
    cacheWriteTokens: 10_000,
  });
  const dollars = (1_000 * 5 + 100_000 * 0.5 + 10_000 * 5 * 1.25 + 10 * 25) / 1e6;
  expect(usage && provider.cost(usage)).toBeCloseTo(dollars, 10);
});
