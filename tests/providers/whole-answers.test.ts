import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WireFormat } from '../../src/contract/providers';
import { type ProviderServer, startProviderServer } from '../provider-server';
import { ask, collect, providerAt } from './support';

let server: ProviderServer;
beforeAll(async () => {
  server = await startProviderServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const input = { city: 'Berlin' };
const headers = { 'content-type': 'application/json' };
const tools = [{ name: 'weather', description: 'Says it.', inputSchema: { type: 'object', properties: {} } }];

/** One answer in every form: a thought, words, a call, and 7 tokens for 5. */
const wholes: readonly {
  format: WireFormat;
  vendor: string;
  path: string;
  body: object;
  refused: object;
}[] = [
  {
    format: 'openai-chat',
    vendor: 'openai-compatible',
    path: '/v1/chat/completions',
    body: {
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          finish_reason: 'tool_calls',
          message: {
            role: 'assistant',
            reasoning_content: 'Where?',
            content: 'I look.',
            tool_calls: [
              {
                id: 'c1',
                type: 'function',
                function: { name: 'weather', arguments: JSON.stringify(input) },
              },
              { id: 'c2', type: 'function', function: { name: 'weather', arguments: '{}' } },
            ],
          },
        },
      ],
      usage: { prompt_tokens: 7, completion_tokens: 5 },
    },
    refused: { error: { message: 'Out of credits', code: 402 } },
  },
  {
    format: 'openai-responses',
    vendor: 'openai',
    path: '/v1/responses',
    body: {
      status: 'completed',
      output: [
        { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 'Where?' }] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I look.' }] },
        { type: 'function_call', call_id: 'c1', name: 'weather', arguments: JSON.stringify(input) },
        { type: 'function_call', call_id: 'c2', name: 'weather', arguments: '{}' },
      ],
      usage: { input_tokens: 7, output_tokens: 5 },
    },
    refused: { status: 'failed', error: { message: 'Out of credits', code: 'insufficient_quota' } },
  },
  {
    format: 'anthropic-messages',
    vendor: 'anthropic',
    path: '/v1/messages',
    body: {
      type: 'message',
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Where?', signature: 's' },
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'c1', name: 'weather', input },
        { type: 'tool_use', id: 'c2', name: 'weather', input: {} },
      ],
      stop_reason: 'tool_use',
      usage: { input_tokens: 7, output_tokens: 5 },
    },
    refused: { type: 'error', error: { type: 'billing_error', message: 'Out of credits' } },
  },
  {
    format: 'gemini-generateContent',
    vendor: 'gemini',
    path: '/v1beta/models/test-model:generateContent',
    body: {
      candidates: [
        {
          content: {
            parts: [
              { text: 'Where?', thought: true },
              { text: 'I look.' },
              { functionCall: { id: 'c1', name: 'weather', args: input } },
              { functionCall: { id: 'c2', name: 'weather', args: {} } },
            ],
          },
          finishReason: 'STOP',
        },
      ],
      usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 5 },
    },
    refused: { promptFeedback: {} },
  },
  {
    format: 'ollama-chat',
    vendor: 'ollama',
    path: '/api/chat',
    body: {
      message: {
        role: 'assistant',
        thinking: 'Where?',
        content: 'I look.',
        tool_calls: [
          { id: 'c1', function: { name: 'weather', arguments: input } },
          { id: 'c2', function: { name: 'weather', arguments: {} } },
        ],
      },
      done: true,
      done_reason: 'stop',
      prompt_eval_count: 7,
      eval_count: 5,
    },
    refused: { error: 'Out of credits' },
  },
];

/** Only so that a test ends; a machine with much to do takes its time. */
const longest = () => AbortSignal.timeout(60_000);

const whole = (vendor: string, format: WireFormat) =>
  providerAt(server.url, vendor, format, { stream: false });

test.each(wholes)(
  'with streaming off $format asks for a whole answer and reads it, calls included',
  async ({ format, vendor, path, body }) => {
    server.answer({ body: JSON.stringify(body, null, 2), headers });
    const provider = await whole(vendor, format);
    const outcome = await collect(provider.stream(ask('Hello', { tools }), longest()));

    const sent = server.requests.at(-1);
    expect(sent?.url.split('?')[0]).toBe(path);
    const asked = sent?.body as Record<string, unknown>;
    if (format !== 'gemini-generateContent') expect(asked.stream).toBe(false);
    expect(asked).not.toHaveProperty('stream_options');
    expect(asked.tools).toHaveLength(1);

    expect(outcome).toMatchObject({
      error: null,
      finish: 'tool-calls',
      text: 'I look.',
      reasoning: 'Where?',
    });
    expect(outcome.usage).toMatchObject({ inputTokens: 7, outputTokens: 5 });
    expect(outcome.calls.map(({ id, name, arguments: given }) => ({ id, name, given }))).toEqual([
      { id: 'c1', name: 'weather', given: input },
      { id: 'c2', name: 'weather', given: {} },
    ]);
    expect(outcome.native?.format).toBe(format);
  },
);

test.each(wholes)(
  'what is no answer of $format is a failure, not an empty answer',
  async ({ format, vendor, refused }) => {
    const provider = await whole(vendor, format);
    for (const body of [refused, { hello: 'there' }, 'Hello']) {
      server.answer({ body: JSON.stringify(body), headers });
      const outcome = await collect(provider.stream(ask('Hello'), longest()));
      expect(outcome).toMatchObject({ text: '', error: { code: 'provider.failed' }, finish: null });
    }
  },
);

test('what is said of an answer that came whole goes back with the next request', async () => {
  const [chat] = wholes;
  server.answer({ body: JSON.stringify(chat?.body), headers });
  const provider = await whole('deepseek', 'openai-chat');
  const turn = await collect(provider.stream(ask('Hello', { tools }), longest()));
  expect(turn.native?.value).toMatchObject({ callIds: ['c1', 'c2'], reasoning: 'Where?' });
});
