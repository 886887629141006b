import { expect, test } from 'vitest';
import type { ProviderConfig } from '../../src/contract/providers';
import { startProviderServer } from '../provider-server';
import { ask, collect, testProviders } from './support';

const searching = (vendor: string, baseUrl: string, more: Partial<ProviderConfig> = {}) =>
  testProviders().temporary(
    { id: 's', vendor, tag: 'S', model: 'm', baseUrl, webSearch: true, ...more },
    'test-key-123456',
  );

test.each([
  ['grok', '/responses'],
  ['openai', '/v1/responses'],
  ['azure', '/openai/v1/responses'],
])('%s is asked to search where it can: in the Responses API', async (vendor, path) => {
  await using server = await startProviderServer();
  server.answer({ body: 'data: {"type":"response.completed","response":{"output":[]}}\n\n' });
  const provider = await searching(vendor, server.url);
  expect(provider.search).toMatchObject({ can: 'always', isOn: true });
  const { error } = await collect(provider.stream(ask('News?', { model: 'm' }), AbortSignal.timeout(5_000)));
  expect(error).toBeNull();
  expect(server.requests[0]?.url).toBe(path);
  expect(server.requests[0]?.body).toMatchObject({ tools: [{ type: 'web_search' }] });
});

test.each(['grok', 'azure', 'openai'])('%s in a format without a search says so', async (vendor) => {
  const provider = await searching(vendor, 'http://127.0.0.1:1', { format: 'openai-chat' });
  expect(provider.search).toMatchObject({ can: 'never', isOn: true, format: 'openai-chat' });
});

test('who has none says so, and Gemini 2 has one only without tools', async () => {
  expect((await searching('kimi', 'http://127.0.0.1:1')).search.can).toBe('never');
  const old = await searching('gemini', 'http://127.0.0.1:1', { model: 'gemini-2.5-flash' });
  expect(old.search.can).toBe('without-tools');
});
