import { expect, test } from 'vitest';
import { WireFormat } from '../../contract/providers';
import { costlyOf, notForNotes, notForSettings } from './parameters';

const owned = [
  ...['input', 'messages', 'contents', 'tools', 'tool_choice', 'toolConfig', 'tool_config', 'instructions'],
  ...['system', 'systemInstruction', 'system_instruction', 'stream', 'store', 'model', 'models', 'metadata'],
  ...['previous_response_id', 'conversation', 'include', 'background', 'provider', 'plugins', 'transforms'],
  ...['web_search_options', 'mcp_servers', 'container', 'safetySettings', 'cachedContent', 'keep_alive'],
  ...['__proto__', 'constructor', 'toString'],
];

test.each(WireFormat.options)('a note says nothing of what the app sends, and to whom: %s', (format) => {
  for (const name of owned) {
    const parameters = JSON.parse(`{"${name}": [{"type": "mcp"}]}`) as Record<string, unknown>;
    expect(notForNotes(format, parameters), name).toBe(name);
  }
});

test('how words are chosen is the note’s to say, each name in its place', () => {
  expect(notForNotes('openai-chat', { top_p: 0.5, stop: ['x'], reasoning: { effort: 'low' } })).toBeNull();
  expect(notForNotes('ollama-chat', { options: { num_ctx: 8192, seed: 1 } })).toBeNull();
  expect(notForNotes('gemini-generateContent', { generationConfig: { topK: 3 } })).toBeNull();
  expect(notForNotes('ollama-chat', { options: { num_ctx: 8192, model: 'x' } })).toBe('options.model');
  expect(notForNotes('openai-chat', { reasoning: { effort: 'low', tools: [] } })).toBe('reasoning.tools');
  expect(notForNotes('openai-chat', { temperature: { messages: [] } })).toBe('temperature');
  expect(notForNotes('ollama-chat', { options: [{ model: 'x' }] })).toBe('options');
});

test('settings of a provider may add to the request, but do not replace the conversation', () => {
  expect(notForSettings({ tools: [{ type: 'web_search' }], store: true, service_tier: 'flex' })).toBeNull();
  for (const name of ['messages', 'input', 'contents', 'instructions', 'system', 'stream'])
    expect(notForSettings({ top_p: 1, [name]: [] })).toBe(name);
});

test.each<[WireFormat, Record<string, unknown>, Record<string, unknown> | null]>([
  [
    'openai-chat',
    { top_p: 1, max_tokens: 9, reasoning: { effort: 'high', summary: 'auto' } },
    { max_tokens: 9, reasoning: { effort: 'high' } },
  ],
  ['openai-chat', { temperature: 1, stop: ['a'], logit_bias: { a: 1 } }, null],
  [
    'openai-responses',
    { max_tool_calls: 9, text: { verbosity: 'high', format: {} } },
    { max_tool_calls: 9, text: { verbosity: 'high' } },
  ],
  [
    'anthropic-messages',
    { top_k: 1, thinking: { type: 'enabled', budget_tokens: 9 } },
    { thinking: { type: 'enabled', budget_tokens: 9 } },
  ],
  [
    'gemini-generateContent',
    { generationConfig: { topK: 1, thinkingConfig: { thinkingBudget: 9 } } },
    { generationConfig: { thinkingConfig: { thinkingBudget: 9 } } },
  ],
  ['gemini-generateContent', { generationConfig: { topK: 1 } }, null],
  [
    'ollama-chat',
    { think: true, options: { num_ctx: 9, seed: 1 } },
    { think: true, options: { num_ctx: 9 } },
  ],
  ['demo', { pace: 1 }, null],
])('of a note’s own parameters those that cost are known: %s %j', (format, parameters, costly) => {
  expect(notForNotes(format, parameters)).toBeNull();
  expect(costlyOf(format, parameters)).toEqual(costly);
});
