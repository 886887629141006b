import { expect, test } from 'vitest';
import { toRequest as toAnthropic } from './anthropic/to-request';
import { azureAddress } from './azure-address';
import { baseUrlFor, ollamaAddress } from './base-url';
import { toRequest as toGemini } from './gemini/to-request';
import { toRequest as toOllama } from './ollama/to-request';
import { toRequest as toChat } from './openai-chat/to-request';
import { toRequest as toResponses } from './openai-responses/to-request';
import { costOf, priceOf } from './prices';
import type { ModelRequest } from './provider';
import { inlineDefinitions, toolSchema } from './tool-schema';
import { type VendorRow, vendorById, vendorRows } from './vendors';

function row(id: string): VendorRow {
  const found = vendorById(id);
  if (!found) throw new Error(`No vendor ${id}`);
  return found;
}

const picture = { mediaType: 'image/png', base64: 'cGl4', name: 'plan.png' };
const pdf = { mediaType: 'application/pdf', base64: 'cGRm', name: 'plan.pdf' };
const call = { id: 'our/id:1', name: 'vault__read', arguments: { path: 'A.md' } };

function request(more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: 'gpt-5.5',
    messages: [
      { role: 'system', text: 'Be brief.' },
      { role: 'user', text: 'Look', attachments: [picture] },
      { role: 'assistant', text: '', toolCalls: [call] },
      { role: 'tool', callId: call.id, name: call.name, text: 'Gone', isError: true, images: [picture] },
    ],
    tools: [{ name: 'now', description: 'The time', inputSchema: { type: 'object', $schema: 'x' } }],
    ...more,
  };
}

test.each(['xai', 'openai', 'deepseek', 'kimi'].filter((id) => vendorById(id)))(
  '%s: two calls to which a provider gave one id are told apart by their results',
  (id) => {
    const twice = ['dup', 'dup_1'].map((one) => ({ ...call, id: one, givenId: 'dup' }));
    const results = twice.map((one) => ({
      ...{ role: 'tool' as const, callId: one.id, name: call.name, text: one.id, isError: false, images: [] },
    }));
    const native = {
      format: 'openai-chat' as const,
      value: { callIds: ['dup', 'dup'], reasoningDetails: [] },
    };
    for (const more of [{}, { native }]) {
      const messages = [
        { role: 'user' as const, text: 'Look', attachments: [] },
        { role: 'assistant' as const, text: '', toolCalls: twice, ...more },
        ...results,
      ];
      const quirks = { ...row(id).quirks, anyCallId: true };
      const body = toChat(request({ messages: messages as ModelRequest['messages'] }), quirks) as {
        messages: { tool_calls?: { id: string }[]; tool_call_id?: string }[];
      };
      const asked = body.messages.flatMap(({ tool_calls }) => tool_calls ?? []).map((one) => one.id);
      const told = body.messages.flatMap(({ tool_call_id }) => tool_call_id ?? []);
      expect(told).toEqual(asked);
      expect(told).toEqual(['dup', 'dup_1']);
    }
  },
);

test('chat: a failed result says so, and its pictures follow as a message', () => {
  const body = toChat(request(), row('openai').quirks) as { messages: Record<string, unknown>[] };
  expect(body.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'user']);
  expect(body.messages[2]).toMatchObject({ tool_calls: [{ id: 'our_id_1' }] });
  expect(body.messages[3]).toMatchObject({ tool_call_id: 'our_id_1', content: 'Error: Gone' });
  expect(JSON.stringify(body.messages[1])).toContain('data:image/png;base64,cGl4');
  expect(JSON.stringify(body.messages[4])).toContain('data:image/png;base64,cGl4');
});

test('nothing is sent that was not asked for', () => {
  for (const body of [
    toChat(request(), row('openai').quirks),
    toResponses(request(), row('openai')),
    toAnthropic(request()),
    toGemini(request({ model: 'gemini-2.0-flash' })),
    toOllama(request()),
  ])
    expect(JSON.stringify(body)).not.toMatch(
      /temperature|strict":true|reasoning_effort|num_predict|thinking/,
    );
});

test('own parameters override everything, and own tools stand beside the others', () => {
  const more = {
    parameters: { temperature: 0.2, stream_options: { x: 1 }, tools: [{ type: 'web_search' }] },
  };
  const body = toChat(request({ ...more, temperature: 0.9 }), row('openai').quirks);
  expect(body.temperature).toBe(0.2);
  expect(body.stream_options).toEqual({ include_usage: true, x: 1 });
  expect(body.tools).toHaveLength(2);
});

test('vendors get their own fields', () => {
  const sent = (id: string, more: Partial<ModelRequest>) => toChat(request(more), row(id).quirks);
  expect(sent('openai', { maxTokens: 5 })).toMatchObject({ max_completion_tokens: 5 });
  expect(sent('deepseek', { maxTokens: 5 })).toMatchObject({ max_tokens: 5 });
  expect(sent('zhipu', {})).toMatchObject({ tool_stream: true });
  expect(sent('zhipu', {})).not.toHaveProperty('stream_options');
  expect(sent('zhipu', { tools: [] })).not.toHaveProperty('tool_stream');
  expect(sent('qwen', { reasoningEffort: 'low' })).toMatchObject({
    enable_thinking: true,
    thinking_budget: 2048,
  });
  expect(sent('kimi', { reasoningEffort: 'none' })).toMatchObject({ thinking: { type: 'disabled' } });
  expect(sent('openrouter', { reasoningEffort: 'high' })).toMatchObject({ reasoning: { effort: 'high' } });
});

test('DeepSeek and Kimi get reasoning with every message that calls tools, if only an empty one', () => {
  const assistant = (id: string) =>
    (toChat(request(), row(id).quirks).messages as Record<string, unknown>[]).find(
      ({ role }) => role === 'assistant',
    );
  expect(assistant('deepseek')).toHaveProperty('reasoning_content', '');
  expect(assistant('kimi')).toHaveProperty('reasoning_content', '');
  expect(assistant('grok')).not.toHaveProperty('reasoning_content');
});

test('the native state of another format is left out', () => {
  const native = { format: 'anthropic-messages', value: { content: [{ type: 'thinking', signature: 's' }] } };
  const messages = request().messages.map((message) =>
    message.role === 'assistant' ? { ...message, native } : message,
  );
  for (const body of [
    toChat(request({ messages }), row('deepseek').quirks),
    toResponses(request({ messages }), row('openai')),
    toGemini(request({ messages })),
    toOllama(request({ messages })),
  ])
    expect(JSON.stringify(body)).not.toContain('"signature"');
});

test('Claude: results come first in one user message, errors are marked', () => {
  const messages = [...request().messages, { role: 'user' as const, text: 'And now?', attachments: [pdf] }];
  const body = toAnthropic(request({ messages })) as {
    messages: { role: string; content: { type: string }[] }[];
  };
  expect(body.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  expect(body.messages[2]?.content.map(({ type }) => type)).toEqual(['tool_result', 'document', 'text']);
  expect(body.messages[2]?.content[0]).toMatchObject({ is_error: true, tool_use_id: 'our_id_1' });
});

test('Claude: thinking is asked for as the model knows it, and not in a loop that began without', () => {
  const messages = [{ role: 'user' as const, text: 'Hi', attachments: [] }];
  const ask = (model: string) =>
    toAnthropic(request({ model, messages, reasoningEffort: 'low', temperature: 0.5 }));
  expect(ask('claude-sonnet-4-5')).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 2048 } });
  expect(ask('claude-sonnet-5-5')).toMatchObject({
    thinking: { type: 'adaptive', display: 'summarized' },
    output_config: { effort: 'low' },
  });
  expect(ask('claude-sonnet-5-5')).not.toHaveProperty('temperature');
  expect(ask('claude-3-5-haiku-20241022')).toMatchObject({ max_tokens: 4096, temperature: 0.5 });
  expect(toAnthropic(request({ model: 'claude-sonnet-5-5', reasoningEffort: 'low' }))).not.toHaveProperty(
    'thinking',
  );
});

test('Gemini: a call that another model made carries the stand-in for a signature', () => {
  const parts = (model: string) => JSON.stringify(toGemini(request({ model })));
  expect(parts('gemini-3.8-flash')).toContain('skip_thought_signature_validator');
  expect(parts('gemini-2.5-flash')).not.toContain('skip_thought_signature_validator');
});

test('OpenAI Responses: encrypted reasoning is asked for only where a model reasons', () => {
  expect(toResponses(request(), row('openai'))).toMatchObject({
    store: false,
    include: ['reasoning.encrypted_content'],
  });
  expect(toResponses(request({ model: 'gpt-4.1' }), row('openai'))).not.toHaveProperty('include');
});

test('a picture for a model that takes none becomes a line that says so', () => {
  const body = JSON.stringify(toChat(request({ model: 'deepseek-v4-flash' }), row('deepseek').quirks));
  expect(body).not.toContain('image_url');
  expect(body).toContain('plan.png');
});

test('schemas always have an object at their root; definitions are inlined where a vendor needs it', () => {
  const node = {
    type: 'object',
    properties: { next: { $ref: '#/$defs/Node' }, name: { $ref: '#/$defs/Name' } },
  };
  const schema = {
    $defs: { Node: node, Name: { type: 'string' } },
    properties: { root: { $ref: '#/$defs/Node' } },
  };
  expect(inlineDefinitions(schema)).toEqual({
    properties: { root: { type: 'object', properties: { next: {}, name: { type: 'string' } } } },
  });
  const tool = { name: 't', description: '', inputSchema: {} };
  expect(toolSchema(tool, { inlineDefinitions: false })).toEqual({ type: 'object', properties: {} });
});

test.each([
  ['https://r.openai.azure.com', null, 'https://r.openai.azure.com/openai/v1', undefined],
  ['https://r.openai.azure.com/openai/v1/', null, 'https://r.openai.azure.com/openai/v1', undefined],
  [
    'https://r.openai.azure.com',
    '2024-10-21',
    'https://r.openai.azure.com/openai/deployments/my%20gpt',
    '2024-10-21',
  ],
  [
    'https://r.openai.azure.com/openai/deployments/d1/chat/completions?api-version=2024-10-21',
    null,
    'https://r.openai.azure.com/openai/deployments/d1',
    '2024-10-21',
  ],
])('Azure’s address %s with version %s is understood', (baseUrl, apiVersion, expected, version) => {
  const address = azureAddress({ baseUrl, apiVersion, model: 'my gpt' }, 'chat');
  expect(address.baseUrl).toBe(expected);
  expect(address.query?.['api-version']).toBe(version);
});

test('addresses are made whole', () => {
  expect(ollamaAddress('0.0.0.0')).toBe('http://127.0.0.1:11434');
  expect(ollamaAddress(':8080')).toBe('http://127.0.0.1:8080');
  expect(ollamaAddress('box')).toBe('http://box:11434');
  expect(ollamaAddress('https://box.example/ollama/')).toBe('https://box.example/ollama');
  const at = (id: string, url?: string, environment = {}) =>
    baseUrlFor(row(id), row(id).formats[0]!, url, environment);
  expect(at('openai-compatible', 'http://127.0.0.1:1234')).toBe('http://127.0.0.1:1234/v1');
  expect(at('openai-compatible', 'http://h/v1/chat/completions/')).toBe('http://h/v1');
  expect(at('deepseek')).toBe('https://api.deepseek.com');
  expect(at('ollama', undefined, { OLLAMA_HOST: 'box:1' })).toBe('http://box:1');
});

test('cost counts cached input at its own price; dated versions share their model’s price', () => {
  const price = priceOf('openai', 'gpt-5.6-terra-2026-10-01');
  expect(price).toEqual({ input: 2, output: 12, cachedInput: 0.2 });
  const usage = { inputTokens: 1_000_000, cachedInputTokens: 500_000, outputTokens: 100_000 };
  expect(costOf(usage, price!)).toBeCloseTo(1 + 0.1 + 1.2);
  expect(priceOf('openai', 'gpt-5.4-unheard-of')).toBeNull();
});

test('the table has fourteen vendors, any other address, and the demo', () => {
  expect(vendorRows).toHaveLength(16);
  for (const vendor of vendorRows.filter(({ needsKey }) => needsKey)) {
    expect(vendor.keyVariables.length).toBeGreaterThan(0);
    expect(vendor.keyPage).toMatch(/^https:/);
  }
});
