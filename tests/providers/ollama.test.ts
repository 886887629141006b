import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ProviderConfig } from '../../src/contract/providers';
import { findOllama } from '../../src/core/providers/ollama/find';
import { createReading, type OllamaChunk } from '../../src/core/providers/ollama/from-stream';
import { lines } from '../../src/core/providers/ollama/wire';
import { startOllamaServer } from '../ollama-server';
import { startProviderServer } from '../provider-server';
import { createMemorySettings } from '../support/in-memory';
import { ask, collect, providerAt, testProviders } from './support';

const config = (baseUrl: string, more: Partial<ProviderConfig> = {}): ProviderConfig => ({
  id: 'o',
  vendor: 'ollama',
  tag: 'Ollama',
  model: 'qwen3:4b',
  baseUrl,
  ...more,
});
const withNumCtx = (num_ctx: number) => ({ parameters: { options: { num_ctx } } });

test.each([
  ['what most machines can afford', {}, { contextLength: 40_960 }, 32_768],
  [
    'what the model is loaded with, if that is more',
    {},
    { contextLength: 200_000, loadedWith: 65_536 },
    65_536,
  ],
  [
    'the Modelfile before that',
    {},
    { contextLength: 40_960, loadedWith: 4_096, parameters: 'temperature 0.6\nnum_ctx    16384\ntop_k 20' },
    16_384,
  ],
  ['the size set for the provider before both', { contextSize: 12_288 }, { contextLength: 40_960 }, 12_288],
  [
    'what stands in the parameters before all',
    { ...withNumCtx(8_192), contextSize: 12_288 },
    { contextLength: 40_960, loadedWith: 4_096, parameters: 'num_ctx 16384' },
    8_192,
  ],
  ['never more than the model can', withNumCtx(200_000), { contextLength: 40_960 }, 40_960],
])('the context window of Ollama is %s', async (_what, more, model, window) => {
  await using server = await startOllamaServer({ 'qwen3:4b': model });
  const settings = createMemorySettings({ providers: [config(server.url, more)] });
  const providers = testProviders({ settings });
  const provider = await providers.pick('Ollama');
  expect(provider.contextWindow).toBe(window);
  // Asked once, not for every look at the meter.
  await providers.pick('Ollama');
  expect(server.seen.filter((line) => line.includes('/api/show'))).toHaveLength(1);
});

test.each([
  ['that calls tools', ['completion', 'tools'], true],
  ['that only speaks', ['completion'], false],
  ['of a version that does not say', null, true],
])('a model of Ollama %s is asked accordingly', async (_which, capabilities, takesTools) => {
  await using server = await startOllamaServer({ 'qwen3:4b': { contextLength: 40_960, capabilities } });
  const settings = createMemorySettings({ providers: [config(server.url)] });
  expect((await testProviders({ settings }).pick('Ollama')).takesTools).toBe(takesTools);
});

async function sentTo(url: string, words: number, more: Partial<ProviderConfig> = {}) {
  const settings = createMemorySettings({ providers: [config(url, more)] });
  const provider = await testProviders({ settings }).pick('Ollama');
  const request = ask('word '.repeat(words), { model: 'qwen3:4b' });
  return collect(provider.stream(request, AbortSignal.timeout(5_000)));
}

test.each([
  ['a short question in the smallest context', 10, {}, { contextLength: 40_960 }, 8_192],
  ['a long one in more', 9_000, {}, { contextLength: 131_072 }, 16_384],
  [
    'what fits what is loaded without loading it anew',
    9_000,
    {},
    { contextLength: 131_072, loadedWith: 24_576 },
    24_576,
  ],
  ['room for the answer that was asked for', 10, { maxTokens: 10_000 }, { contextLength: 40_960 }, 16_384],
  ['never more than the limit', 11_000, { contextSize: 12_288 }, { contextLength: 40_960 }, 12_288],
])('Ollama is told a context that fits: %s', async (_what, words, more, model, num_ctx) => {
  await using server = await startOllamaServer({ 'qwen3:4b': model });
  expect(await sentTo(server.url, words, more)).toMatchObject({ text: 'Good.', error: null });
  expect(server.bodies.at(-1)).toMatchObject({ options: { num_ctx }, truncate: false });
});

test('what does not fit is not sent to be cut without a word', async () => {
  await using server = await startOllamaServer({ 'qwen3:4b': { contextLength: 40_960 } });
  const { error } = await sentTo(server.url, 20_000, { contextSize: 8_192 });
  expect(error).toMatchObject({
    details: { failure: 'context-overflow' },
    message: expect.stringMatching(/About [\d,]+ tokens are to be sent, and it is given 8,192 at most/),
  });
  expect(String(error)).not.toContain('says');
  expect(server.seen).not.toContain('POST /api/chat qwen3:4b');
});

test('a fresh app talks to the Ollama that runs, with a model that speaks; the demo is for those without', async () => {
  await using server = await startOllamaServer({
    'nomic-embed-text': { contextLength: 2_048, capabilities: ['embedding'] },
    'gemma:2b': { contextLength: 8_192, capabilities: ['completion'] },
    'qwen3:4b': { contextLength: 40_960 },
  });
  const here = { environment: { OLLAMA_HOST: server.url } };
  const providers = testProviders(here);
  expect(await providers.pick(null)).toMatchObject({ vendor: 'ollama', model: 'qwen3:4b' });
  await expect
    .poll(() => providers.list.get().find(({ isDefault }) => isDefault))
    .toMatchObject({ vendor: 'ollama', model: 'qwen3:4b' });
  // The demo stays at hand, and what a person chose holds.
  expect(await providers.pick('Demo')).toMatchObject({ vendor: 'demo' });
  const chosen = createMemorySettings({ defaultProvider: 'demo' });
  expect(await testProviders({ ...here, settings: chosen }).pick(null)).toMatchObject({ vendor: 'demo' });
  server.models.delete('qwen3:4b');
  expect(await testProviders(here).pick(null)).toMatchObject({ vendor: 'ollama', model: 'gemma:2b' });
  server.models.delete('gemma:2b');
  expect(await testProviders(here).pick(null)).toMatchObject({ vendor: 'demo' });
});

test('an Ollama that says nothing of capabilities is judged by names', async () => {
  const silent = { contextLength: 2_048, capabilities: null };
  await using server = await startOllamaServer({ 'mxbai-embed-large': silent, 'mistral:7b': silent });
  const here = { environment: { OLLAMA_HOST: server.url } };
  expect(await testProviders(here).pick(null)).toMatchObject({ model: 'mistral:7b', takesTools: true });
  const { models } = await testProviders().models(
    config(server.url),
    undefined,
    true,
    AbortSignal.timeout(5_000),
  );
  expect(models).toEqual(['mistral:7b']);
});

test('`num_ctx` reaches Ollama beside what the app sets itself', async () => {
  await using server = await startOllamaServer({ 'qwen3:4b': { contextLength: 40_960 } });
  const settings = createMemorySettings({
    providers: [config(server.url, { ...withNumCtx(8_192), temperature: 0.5 })],
  });
  const provider = await testProviders({ settings }).pick('Ollama');
  const outcome = await collect(
    provider.stream(ask('Hello', { model: 'qwen3:4b' }), AbortSignal.timeout(5_000)),
  );
  expect(outcome).toMatchObject({ text: 'Good.', finish: 'stop', error: null });
  expect(server.bodies.at(-1)).toMatchObject({ options: { num_ctx: 8_192, temperature: 0.5 } });
});

test('an Ollama that does not answer holds up nobody', async () => {
  const settings = createMemorySettings({ providers: [config('http://127.0.0.1:1', withNumCtx(8_192))] });
  expect((await testProviders({ settings }).pick('Ollama')).contextWindow).toBe(8_192);
});

test('under WSL2 the Ollama of Windows is found at the default gateway, after this computer', async () => {
  await using server = await startOllamaServer({ 'qwen3:4b': { contextLength: 40_960 } });
  const folder = mkdtempSync(join(tmpdir(), 'routes-'));
  const routes = join(folder, 'route');
  writeFileSync(
    routes,
    'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\n' +
      'eth0\t00000000\t0110A8AC\t0003\t0\t0\t0\t00000000\n' +
      'eth0\t0010A8AC\t00000000\t0001\t0\t0\t0\t00F0FFFF\n',
  );
  const asked: string[] = [];
  /** What is on port 11434 of the two computers: nothing here, the stand-in on Windows. */
  const network: typeof fetch = (input, init) => {
    const { host, pathname } = new URL(String(input));
    asked.push(host);
    const there = host === '172.168.16.1:11434' ? server.url : 'http://127.0.0.1:1';
    return fetch(`${there}${pathname}`, init);
  };
  const wsl = { WSL_DISTRO_NAME: 'Ubuntu' };
  expect(await findOllama({ fetch: network, environment: wsl, routes })).toEqual({
    baseUrl: 'http://172.168.16.1:11434',
    model: 'qwen3:4b',
  });
  expect([...new Set(asked)]).toEqual(['127.0.0.1:11434', '172.168.16.1:11434']);
  expect(await findOllama({ fetch: network, environment: {}, routes })).toBeNull();
  // A table that cannot be read is no failure, and an address that was set is the only one that is asked.
  expect(await findOllama({ fetch: network, environment: wsl, routes: join(folder, 'none') })).toBeNull();
  asked.length = 0;
  expect(
    await findOllama({ fetch: network, environment: { ...wsl, OLLAMA_HOST: '10.0.0.7' }, routes }),
  ).toBeNull();
  expect(asked).toEqual(['10.0.0.7:11434']);
  rmSync(folder, { recursive: true });
});

test('a pull tells how far it is, and its model is on offer afterwards', async () => {
  await using server = await startOllamaServer({});
  const providers = testProviders();
  const steps: string[] = [];
  for await (const { status, completed, total } of providers.pull(
    config(server.url),
    'qwen3:4b',
    AbortSignal.timeout(5_000),
  )) {
    steps.push(`${status} ${completed ?? '-'}/${total ?? '-'}`);
    if (steps.length === 2) server.step(400);
    if (steps.length === 3) server.step(1_000);
  }
  expect(steps).toEqual([
    'pulling manifest -/-',
    'pulling e8a35b5937a5 -/1000',
    'pulling e8a35b5937a5 400/1000',
    'pulling e8a35b5937a5 1000/1000',
    'verifying sha256 digest -/-',
    'writing manifest -/-',
    'success -/-',
  ]);
  const { models } = await providers.models(config(server.url), undefined, false, AbortSignal.timeout(5_000));
  expect(models).toEqual(['qwen3:4b']);
});

test('a pull that is stopped ends at Ollama, too', async () => {
  await using server = await startOllamaServer({});
  const stop = new AbortController();
  const pulling = (async () => {
    for await (const { completed } of testProviders().pull(config(server.url), 'qwen3:4b', stop.signal)) {
      if (completed === 400) stop.abort();
      else if (completed === null) setImmediate(() => server.step(400));
    }
  })();
  await expect(pulling).rejects.toMatchObject({ details: { failure: 'cancelled' } });
  await server.left;
  expect(server.models.size).toBe(0);
});

test('a pull of what does not exist says so', async () => {
  await using server = await startOllamaServer({});
  const pulling = (async () => {
    for await (const _ of testProviders().pull(config(server.url), 'missing', AbortSignal.timeout(5_000)));
  })();
  await expect(pulling).rejects.toThrow(/could not fetch “missing”: “.*file does not exist” Check its name/);
});

test('a broken line is a failure, and nobody prints it', async () => {
  await using server = await startProviderServer();
  const printed: unknown[] = [];
  const record = (...words: unknown[]) => void printed.push(words);
  for (const name of ['log', 'info', 'warn', 'error'] as const)
    vi.spyOn(console, name).mockImplementation(record);
  onTestFinished(() => void vi.restoreAllMocks());
  const provider = await providerAt(server.url, 'ollama', 'ollama-chat');
  const first = '{"message":{"content":"Good."},"done":false}\n\n';
  server.answer({ body: `${first}what is this\n` });
  const broken = await collect(provider.stream(ask('Hello'), AbortSignal.timeout(5_000)));
  expect(broken).toMatchObject({ text: 'Good.', error: { details: { failure: 'incomplete' } } });
  server.answer({ status: 400, body: 'not even JSON' });
  await collect(provider.stream(ask('Hello'), AbortSignal.timeout(5_000)));
  expect(printed).toEqual([]);
});

test('a call with a number that would be sent as another one is refused by that number, as it was written', async () => {
  const answer = (args: string) =>
    new Response(
      `{"message":{"tool_calls":[{"function":{"name":"pay","arguments":${args}}}]},"done":true}\n`,
    );
  async function callIn(args: string) {
    const reading = createReading();
    for await (const line of lines(answer(args))) reading.take(line as OllamaChunk);
    return reading.end().find(({ kind }) => kind === 'tool-call');
  }
  expect(await callIn('{"to":[12345678901234567890]}')).toMatchObject({
    arguments: null,
    error: expect.stringContaining('12345678901234567890'),
    argumentsText: '{"to":[12345678901234567890]}',
  });
  expect(await callIn('{"to":[1.0,1e3,-0]}')).toMatchObject({ arguments: { to: [1, 1000, 0] }, error: null });
});
