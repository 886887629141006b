import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OllamaServer, startOllamaServer } from '../ollama-server';
import { ollamaCases } from './ollama-cases';
import { ask, providerAt } from './support';

let server: OllamaServer;
beforeAll(async () => {
  server = await startOllamaServer({ 'qwen3:4b': { contextLength: 40_960 } });
});
afterAll(() => server[Symbol.asyncDispose]());

ollamaCases(() => ({ url: server.url, model: 'qwen3:4b' }));

test('an answer that is stopped is not written any further at the server', async () => {
  await using fresh = await startOllamaServer({ 'qwen3:4b': { contextLength: 40_960 } });
  const provider = await providerAt(fresh.url, 'ollama', 'ollama-chat', { key: null, model: 'qwen3:4b' });
  const stop = new AbortController();
  const stream = provider.stream(ask('Count to a million.', { model: 'qwen3:4b' }), stop.signal);
  const reading = (async () => {
    for await (const _ of stream) stop.abort();
  })();
  await expect(reading).rejects.toMatchObject({ details: { failure: 'cancelled' } });
  await fresh.left;
});
