import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../src/core/foundation';
import { createUsageLog } from '../../src/core/providers';
import { type ProviderServer, startProviderServer } from '../provider-server';
import { createMemorySettings } from '../support/in-memory';
import { createManualClock } from '../support/manual-clock';
import { testProviders } from './support';

const never = new AbortController().signal;
const json = { 'content-type': 'application/json' };
async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

let server: ProviderServer;
beforeEach(async () => {
  server = await startProviderServer();
});
afterEach(() => server[Symbol.asyncDispose]());

test('what answers used adds up by day, note and model; an unknown price is counted, not guessed', () => {
  const clock = createManualClock();
  const log = createUsageLog({ database: openDatabase(':memory:', () => undefined), clock });
  const usage = { inputTokens: 100, outputTokens: 20, cachedInputTokens: 40 };
  const answer = { vault: '/v', path: 'A.md', vendor: 'openai', model: 'gpt-5.5', usage, cost: 0.5 };
  log.add(answer);
  log.add({ ...answer, cost: null, model: 'new' });
  clock.advance(24 * 3_600_000);
  log.add({ ...answer, path: 'B.md', cost: 0.25 });
  log.add({ ...answer, vault: '/other', path: 'A.md', cost: 9 });

  expect(log.totals('note', '/v')).toEqual([
    {
      name: 'A.md',
      answers: 2,
      inputTokens: 200,
      outputTokens: 40,
      cachedInputTokens: 80,
      cost: 0.5,
      unpriced: 1,
    },
    {
      name: 'B.md',
      answers: 1,
      inputTokens: 100,
      outputTokens: 20,
      cachedInputTokens: 40,
      cost: 0.25,
      unpriced: 0,
    },
  ]);
  const days = log.totals('day', '/v');
  expect(days.map(({ answers, cost }) => [answers, cost])).toEqual([
    [2, 9.25],
    [2, 0.5],
  ]);
  expect(days[0]?.name).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(log.totals('model', '/v').map(({ name }) => name)).toEqual(['gpt-5.5 (openai)', 'new (openai)']);
  expect(log.totals('day', '/v', clock.now())).toHaveLength(1);

  log.add({ ...answer, path: 'Old/C.md' });
  log.add({ ...answer, path: 'Older.md' });
  log.renamed('/v', 'A.md', 'Z.md');
  log.renamed('/v', 'Old', 'New');
  const names = log.totals('note', '/v').map(({ name }) => name);
  expect(names.toSorted()).toEqual(['B.md', 'New/C.md', 'Older.md', 'Z.md']);
  expect(log.totals('note', '/other').map(({ name }) => name)).toEqual(['A.md']);
});

test('a person’s own price holds over the list’s at once, and can be taken back', async () => {
  const providers = testProviders({
    settings: createMemorySettings({
      providers: [{ id: 'o', vendor: 'openai', tag: 'O', model: 'gpt-5.5' }],
    }),
  });
  const provider = await providers.pick('o');
  const usage = { inputTokens: 1_000_000, outputTokens: 0 };
  expect(provider.cost(usage)).toBe(5);
  providers.setPrice('openai', 'gpt-5.5', { input: 7, output: 8 });
  expect(provider.cost(usage)).toBe(7);
  expect(providers.prices.get().prices).toContainEqual({
    vendor: 'openai',
    model: 'gpt-5.5',
    input: 7,
    output: 8,
    own: true,
  });
  providers.setPrice('openai', 'gpt-5.5', null);
  expect(provider.cost(usage)).toBe(5);
  expect(providers.prices.get().date).toMatch(/^\d{4}-\d\d-\d\d$/);
});

test('models are listed once and then known, until asked for anew', async () => {
  const providers = testProviders();
  const config = { vendor: 'openai', tag: 'T', model: 'a', baseUrl: server.url };
  server.answer({ body: '{"data":[{"id":"b"},{"id":"a"}]}', headers: json });
  expect(await providers.models(config, 'k', false, never)).toMatchObject({
    models: ['a', 'b'],
    problem: null,
  });
  expect(await providers.models(config, 'k', false, never)).toMatchObject({ models: ['a', 'b'] });
  expect(server.requests).toHaveLength(1);
  server.answer({ status: 401, body: '{"error":{"message":"no","code":"invalid_api_key"}}' });
  const kept = await providers.models(config, 'k', true, never);
  expect(kept.models).toEqual(['a', 'b']);
  expect(kept.problem?.message).toContain('did not accept the key');
});

test('a model that Ollama lacks is pulled, with progress', async () => {
  const providers = testProviders();
  server.answer(
    {
      body: '{"status":"pulling manifest"}\n{"status":"pulling abc","total":10,"completed":4}\n{"status":"success"}\n',
    },
    { body: '{"models":[{"name":"m:1b"}]}', headers: json },
  );
  const config = { vendor: 'ollama', tag: 'T', model: 'm:1b', baseUrl: server.url };
  const seen = await all(providers.pull(config, 'm:1b', never));
  expect(seen).toEqual([
    { status: 'pulling manifest', completed: null, total: null },
    { status: 'pulling abc', completed: 4, total: 10 },
    { status: 'success', completed: null, total: null },
  ]);
  expect(server.requests.map(({ url }) => url)).toEqual(['/api/pull', '/api/tags']);
  server.answer({ body: '{"error":"pull model manifest: file does not exist"}\n' });
  await expect(all(providers.pull(config, 'nope', never))).rejects.toMatchObject({
    code: 'provider.failed',
    message: expect.stringContaining('file does not exist'),
  });
});

test('leaving a pull ends it at Ollama', async () => {
  const providers = testProviders();
  server.answer({ body: '{"status":"pulling manifest"}\n{"status":"x"}\n', stallAt: 30 });
  const config = { vendor: 'ollama', tag: 'T', model: 'm', baseUrl: server.url };
  for await (const _progress of providers.pull(config, 'm', never)) break;
  expect(await server.requests[0]?.ended).toBe('left');
});
