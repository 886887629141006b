import { expect, test } from 'vitest';
import { createReading as readAnthropic } from './anthropic/from-stream';
import { thinkingFields } from './anthropic/thinking';
import { toRequest as toAnthropic } from './anthropic/to-request';
import { thinkingConfig } from './gemini/thinking';
import { toRequest as toGemini } from './gemini/to-request';
import { toRequest as toOllama } from './ollama/to-request';
import { effortFields } from './openai-chat/effort';
import { type ChatChunk, createReading as readChat } from './openai-chat/from-stream';
import { toRequest as toChat } from './openai-chat/to-request';
import type { ModelEvent, ModelRequest, NativeState, NeutralMessage } from './provider';
import { createTransport } from './transport';
import { fromChatUsage } from './usage';
import { vendorById } from './vendors';

const never = new AbortController().signal;
const finishOf = (events: readonly ModelEvent[]) => events.find(({ kind }) => kind === 'finish');
const quirksOf = (id: string) => {
  const row = vendorById(id);
  if (!row) throw new Error(`No vendor ${id}`);
  return row.quirks;
};

function chat(chunks: readonly ChatChunk[], sawDone = true): readonly ModelEvent[] {
  const reading = readChat(() => sawDone);
  return [...chunks.flatMap((chunk) => reading.take(chunk)), ...reading.end()];
}

test.each([
  ['stop', 'stop'],
  ['eos', 'stop'],
  ['length', 'length'],
  ['sensitive', 'content-filter'],
  ['content_filter', 'content-filter'],
  ['something new', 'unknown'],
])('a finish reason “%s” means %s', (reason, meant) => {
  expect(finishOf(chat([{ choices: [{ finish_reason: reason, delta: { content: 'x' } }] }]))).toEqual({
    kind: 'finish',
    reason: meant,
  });
});

test('a stream may lack its end mark or its finish reason, not both', () => {
  const text = { choices: [{ delta: { content: 'x' } }] };
  const stop = { choices: [{ finish_reason: 'stop', delta: {} }] };
  expect(finishOf(chat([text, stop], false))).toMatchObject({ reason: 'stop' });
  expect(finishOf(chat([text], true))).toMatchObject({ reason: 'unknown' });
  expect(() => chat([text], false)).toThrow('without a finish reason');
});

test.each([
  ['a mark at the end', ['data: {}\n\n', 'data: [DONE]\n\n'], true],
  ['a mark without a blank', ['data: {}\n\ndata:[DONE]\n\n'], true],
  ['a mark with CRLF, over two pieces', ['data: {}\r\n\r\ndata: [DO', 'NE]\r\n\r\n'], true],
  ['a mark with a lot after it', ['data: {}\n\ndata: [DONE]\n\n', ': keep-alive\n\n'.repeat(50)], true],
  ['a model that writes the mark', ['data: {"content":"data: [DONE]"}\n\n'], false],
])('%s counts as the end of the stream, or does not', async (_what, pieces, done) => {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });
  const clock = { now: () => 0, after: () => () => undefined };
  const transport = createTransport({
    fetch: async () => new Response(body),
    clock,
    signal: never,
    idleTimeout: 1_000,
  });
  await (await transport.fetch('http://memory')).text();
  expect(transport.sawDone()).toBe(done);
});

test.each([
  ['OpenAI', { prompt_tokens_details: { cached_tokens: 7 } }],
  ['DeepSeek', { prompt_cache_hit_tokens: 7 }],
  ['Kimi', { cached_tokens: 7 }],
])('%s says in its own way what came from the cache', (_vendor, more) => {
  expect(fromChatUsage({ prompt_tokens: 10, completion_tokens: 2, ...more })).toEqual({
    inputTokens: 10,
    outputTokens: 2,
    cachedInputTokens: 7,
  });
});

test('content in parts, as Mistral sends it, is text and reasoning', () => {
  const parts = [
    { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
    { type: 'text', text: 'Good ' },
    { type: 'reference', reference_ids: [1] },
  ];
  const events = chat([
    { choices: [{ delta: { content: parts } }] },
    { choices: [{ delta: { content: [{ type: 'text', text: 'day' }] }, finish_reason: 'stop' }] },
  ]);
  const said = (kind: 'text' | 'reasoning') =>
    events.flatMap((event) => (event.kind === kind ? [event.text] : [])).join('');
  expect([said('reasoning'), said('text')]).toEqual(['Hm.', 'Good day']);
});

const piece = (
  index: number | undefined,
  id: string | undefined,
  name: string | undefined,
  args: string,
) => ({
  ...(index !== undefined && { index }),
  ...(id !== undefined && { id }),
  function: { ...(name !== undefined && { name }), arguments: args },
});

test.each([
  [
    'only the first piece of a call has no number',
    [
      [piece(undefined, 'a', 'read', '{"p"')],
      [piece(0, undefined, undefined, ':1')],
      [piece(0, undefined, undefined, '}')],
    ],
    [['a', 'read', { p: 1 }]],
  ],
  [
    'the same, with the id in every piece',
    [[piece(undefined, 'a', 'read', '{"p"')], [piece(0, 'a', undefined, ':1}')]],
    [['a', 'read', { p: 1 }]],
  ],
  [
    'two calls without numbers are gone on with by number',
    [
      [piece(undefined, 'a', 'read', '{"p":'), piece(undefined, 'b', 'list', '{"q":')],
      [piece(0, undefined, undefined, '1}')],
      [piece(1, undefined, undefined, '2}')],
    ],
    [
      ['a', 'read', { p: 1 }],
      ['b', 'list', { q: 2 }],
    ],
  ],
  [
    'a second call is numbered, its arguments are not',
    [
      [piece(0, 'a', 'read', '{"p":1}')],
      [piece(1, 'b', 'list', '{"q":')],
      [piece(undefined, undefined, undefined, '2}')],
    ],
    [
      ['a', 'read', { p: 1 }],
      ['b', 'list', { q: 2 }],
    ],
  ],
])('where %s no argument is lost', (_what, pieces, calls) => {
  const events = chat([
    ...pieces.map((tool_calls) => ({ choices: [{ delta: { tool_calls } }] })),
    { choices: [{ delta: {}, finish_reason: 'tool_calls' }] },
  ]);
  const made = events.flatMap((event) =>
    event.kind === 'tool-call' ? [[event.id, event.name, event.arguments]] : [],
  );
  expect(made).toEqual(calls);
});

test('xAI’s completion tokens lack the reasoning; everybody else’s include it', () => {
  const details = { completion_tokens_details: { reasoning_tokens: 30 } };
  const xai = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 45, ...details };
  expect(fromChatUsage(xai)).toMatchObject({ outputTokens: 35, reasoningTokens: 30 });
  const others = { prompt_tokens: 10, completion_tokens: 35, total_tokens: 45, ...details };
  expect(fromChatUsage(others)).toMatchObject({ outputTokens: 35, reasoningTokens: 30 });
});

test('Claude’s blocks that mean nothing here go back as they came, in their order', () => {
  const blocks = [
    { type: 'redacted_thinking', data: 'opaque' },
    { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'x' } },
    { type: 'web_search_tool_result', tool_use_id: 's1', content: [{ type: 'web_search_result', url: 'u' }] },
    { type: 'compaction', content: 'short' },
    { type: 'tool_use', id: 't1', name: 'files__read', input: { path: 'A.md' } },
  ];
  const reading = readAnthropic();
  for (const [index, content_block] of blocks.entries()) {
    reading.take({ type: 'content_block_start', index, content_block });
    reading.take({ type: 'content_block_stop', index });
  }
  reading.take({ type: 'message_delta', delta: { stop_reason: 'tool_use' } });
  reading.take({ type: 'message_stop' });
  const native = reading.end().find((event) => event.kind === 'native')?.state;
  expect(native?.value).toEqual({ content: blocks });
  const body = toAnthropic(looped('claude-opus-5', native));
  expect(JSON.stringify(body.messages)).toContain(JSON.stringify(blocks).slice(1, -1));
});

function looped(
  model: string,
  native: NativeState | undefined,
  ids: readonly string[] = ['own-1'],
): ModelRequest {
  const messages: NeutralMessage[] = [
    { role: 'user', text: 'Read', attachments: [] },
    {
      role: 'assistant',
      text: '',
      toolCalls: ids.map((id) => ({ id, name: 'files__read', arguments: { path: 'A.md' } })),
      ...(native && { native }),
    },
    ...ids.map(
      (callId): NeutralMessage => ({
        role: 'tool',
        callId,
        name: 'files__read',
        text: `result of ${callId}`,
        isError: false,
        images: [],
      }),
    ),
  ];
  return { model, messages, tools: [] };
}

test('ids of another provider are rewritten to what every provider takes', () => {
  const odd = 'functions.read:0/ä';
  const body = JSON.stringify(toChat(looped('m', undefined, [odd]), quirksOf('openai')));
  expect(body.match(/"(tool_call_)?id":"functions_read_0__"/g)).toHaveLength(2);
});

test('an id that a provider gives again in a later turn still belongs to its own turn', () => {
  const again: NativeState = {
    format: 'openai-chat',
    value: { callIds: ['llm_version:0'], reasoning: '', reasoningField: null, reasoningDetails: [] },
  };
  const first = looped('m', again, ['own-1']).messages;
  const second = looped('m', again, ['own-2']).messages;
  const body = toChat({ model: 'm', messages: [...first, ...second], tools: [] }, quirksOf('kimi'));
  const results = (body.messages as Record<string, unknown>[]).filter(({ role }) => role === 'tool');
  expect(results).toMatchObject([
    { tool_call_id: 'llm_version:0', content: 'result of own-1' },
    { tool_call_id: 'llm_version:0', content: 'result of own-2' },
  ]);
});

test('Gemini gets all calls of a turn before all their results', () => {
  const body = toGemini(looped('gemini-3.8-flash', undefined, ['a', 'b']));
  const contents = body.contents as { role: string; parts: Record<string, unknown>[] }[];
  expect(
    contents.slice(1).map(({ role, parts }) => [role, parts.map((part) => Object.keys(part)[0])]),
  ).toEqual([
    ['model', ['functionCall', 'functionCall']],
    ['user', ['functionResponse', 'functionResponse']],
  ]);
});

test('Ollama is told the tool by its name', () => {
  expect(toOllama(looped('qwen3:4b', undefined)).messages).toContainEqual(
    expect.objectContaining({ role: 'tool', tool_name: 'files__read', content: 'result of own-1' }),
  );
});

test.each([
  ['openai', 'gpt-5.5', { reasoning_effort: 'high' }, { reasoning_effort: 'none' }],
  ['grok', 'grok-4.7', { reasoning_effort: 'high' }, { reasoning_effort: 'none' }],
  ['openrouter', 'x/y', { reasoning: { effort: 'high' } }, { reasoning: { enabled: false } }],
  ['qwen', 'qwen3.7-max', { enable_thinking: true, thinking_budget: 24_576 }, { enable_thinking: false }],
  ['siliconflow', 'x/y', { enable_thinking: true, thinking_budget: 24_576 }, { enable_thinking: false }],
  [
    'zhipu',
    'glm-5.2',
    { thinking: { type: 'enabled', clear_thinking: false } },
    { thinking: { type: 'disabled' } },
  ],
])('%s is told how much to think in its own words', (vendor, model, high, none) => {
  const fields = (reasoningEffort: 'high' | 'none') =>
    effortFields({ model, reasoningEffort }, quirksOf(vendor));
  expect(fields('high')).toEqual(high);
  expect(fields('none')).toEqual(none);
  expect(effortFields({ model }, quirksOf(vendor))).toEqual({});
});

test.each(['deepseek', 'kimi', 'doubao'])('%s switches thinking by type', (vendor) => {
  const fields = (reasoningEffort: 'high' | 'none') =>
    effortFields({ model: 'some-model', reasoningEffort }, quirksOf(vendor));
  expect(fields('high')).toMatchObject({ thinking: { type: 'enabled' } });
  expect(fields('none')).toEqual({ thinking: { type: 'disabled' } });
});

test('Claude and Gemini think by budget in older models and by effort in newer ones', () => {
  const claude = (model: string) =>
    thinkingFields({ model, messages: [], tools: [], reasoningEffort: 'high' }, true);
  expect(claude('claude-haiku-4-5')).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 16_384 } });
  expect(claude('claude-opus-5-5')).toMatchObject({
    thinking: { type: 'adaptive' },
    output_config: { effort: 'high' },
  });
  expect(thinkingConfig('gemini-2.5-flash', 'high')).toMatchObject({ thinkingBudget: 24_576 });
  expect(thinkingConfig('gemini-3.8-flash', 'high')).toMatchObject({ thinkingLevel: 'high' });
});
