import { expect, test } from 'vitest';
import { toRequest as toAnthropic } from './anthropic/to-request';
import { toRequest as toGemini } from './gemini/to-request';
import { toRequest as toChat } from './openai-chat/to-request';
import { toRequest as toResponses } from './openai-responses/to-request';
import type { ModelRequest } from './provider';
import { type VendorRow, vendorById } from './vendors';

function row(id: string): VendorRow {
  const found = vendorById(id);
  if (!found) throw new Error(`No vendor ${id}`);
  return found;
}

const tool = { name: 'vault__read', description: '', inputSchema: { type: 'object' } };
const call = { id: 'c1', name: 'vault__read', arguments: {} };
const native = {
  format: 'openai-chat',
  value: {
    callIds: ['functions.read:0'],
    reasoning: 'Hm.',
    reasoningField: 'reasoning_content',
    reasoningDetails: [{ type: 'reasoning.encrypted', data: 'x', index: 0 }],
  },
};

function request(model: string, more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model,
    messages: [
      { role: 'user', text: 'Look', attachments: [] },
      { role: 'assistant', text: '', toolCalls: [call], native },
      { role: 'tool', callId: 'c1', name: 'vault__read', text: 'Seen', isError: false, images: [] },
    ],
    tools: [tool],
    ...more,
  };
}

const sent = (vendor: string, model: string, more: Partial<ModelRequest> = {}) =>
  toChat(request(model, more), row(vendor).quirks);
const assistantOf = (body: Record<string, unknown>) =>
  (body.messages as Record<string, unknown>[]).find(({ role }) => role === 'assistant');

test('an id of the provider’s own form goes back as it came, with the call and with its result', () => {
  const body = sent('kimi', 'kimi-k3');
  expect(assistantOf(body)).toMatchObject({ tool_calls: [{ id: 'functions.read:0' }] });
  expect(body.messages).toContainEqual(expect.objectContaining({ tool_call_id: 'functions.read:0' }));
});

test.each([
  ['deepseek', 'deepseek-v4-pro', { reasoning_content: 'Hm.' }],
  ['kimi', 'kimi-k3', { reasoning_content: 'Hm.' }],
  ['zhipu', 'glm-5.2', { reasoning_content: 'Hm.' }],
  ['doubao', 'doubao-seed-1-8-251228', { reasoning_content: 'Hm.' }],
  ['openrouter', 'moonshotai/kimi-k2.5', { reasoning_details: native.value.reasoningDetails }],
])('%s gets the reasoning of a tool loop back', (vendor, model, fields) => {
  expect(assistantOf(sent(vendor, model))).toMatchObject(fields);
});

test.each([
  ['openai', 'gpt-5.5'],
  ['azure', 'my-deployment'],
  ['grok', 'grok-4.7'],
  ['doubao', 'doubao-seed-1-6-250615'],
])('%s’s %s gets no reasoning back', (vendor, model) => {
  expect(JSON.stringify(assistantOf(sent(vendor, model)))).not.toContain('Hm.');
});

test('Zhipu is told to keep the thinking that is sent back to it', () => {
  expect(sent('zhipu', 'glm-5.2', { reasoningEffort: 'high' }).thinking).toEqual({
    type: 'enabled',
    clear_thinking: false,
  });
});

test.each([
  ['zhipu', 'glm-5.3'],
  ['kimi', 'kimi-k2.7-code'],
  ['qianfan', 'ernie-5.0'],
])('%s’s %s can’t be kept from thinking, and is not asked to', (vendor, model) => {
  const body = sent(vendor, model, { reasoningEffort: 'none' });
  expect(body).not.toHaveProperty('thinking');
  expect(body).not.toHaveProperty('enable_thinking');
});

test('the tools are never forced and never strict, for any vendor', () => {
  for (const id of ['openai', 'azure', 'deepseek', 'grok', 'kimi', 'qwen', 'zhipu', 'doubao', 'qianfan']) {
    const body = sent(id, 'm');
    expect(body.tool_choice).toBe('auto');
    expect(JSON.stringify(body.tools)).not.toContain('strict');
  }
});

test('Claude’s and OpenAI’s own search of the web stands beside the tools of the servers', () => {
  const more = { webSearch: true };
  expect(toAnthropic(request('claude-sonnet-5-5', more)).tools).toMatchObject([
    { name: 'vault__read' },
    { type: 'web_search_20250305', name: 'web_search' },
  ]);
  expect(toResponses(request('gpt-5.5', more), row('openai')).tools).toMatchObject([
    { name: 'vault__read' },
    { type: 'web_search' },
  ]);
});

test('other vendors’ search is asked for in their own words; before Gemini 3 it excludes functions', () => {
  const more = { webSearch: true };
  expect(sent('openrouter', 'm', more)).toMatchObject({ plugins: [{ id: 'web' }] });
  expect(sent('qwen', 'm', more)).toMatchObject({ enable_search: true });
  expect(JSON.stringify(toGemini(request('gemini-3.8-flash', more)).tools)).toContain('googleSearch');
  expect(JSON.stringify(toGemini(request('gemini-2.5-flash', more)).tools)).not.toContain('googleSearch');
});

test('nobody searches the web unless asked to', () => {
  expect(JSON.stringify(toAnthropic(request('claude-sonnet-5-5')).tools)).not.toContain('web_search');
  expect(JSON.stringify(sent('openrouter', 'm'))).not.toContain('plugins');
});
