import { afterEach, beforeEach, expect, test } from 'vitest';
import { tagName } from '../../src/contract/providers';
import { systemClock } from '../../src/core/foundation';
import { type ProviderServer, startProviderServer } from '../provider-server';
import { createMemorySecrets, createMemorySettings } from '../support/in-memory';
import { ask, collect, testProviders } from './support';

const never = new AbortController().signal;
let server: ProviderServer;
beforeEach(async () => {
  server = await startProviderServer();
});
afterEach(() => server[Symbol.asyncDispose]());

const deepseek = { vendor: 'deepseek', tag: 'DeepSeek', model: 'deepseek-v4-flash' };

test('with nothing configured the demo answers', async () => {
  const providers = testProviders();
  expect(providers.list.get()).toMatchObject([
    { id: 'demo', tag: 'Demo', isDefault: true, key: 'not-needed' },
  ]);
  const provider = await providers.pick(null);
  expect(provider).toMatchObject({ vendor: 'demo', label: 'Demo (no model)' });
});

test('a saved provider becomes the default, answers under its tag, and its key stays in the secret store', async () => {
  const settings = createMemorySettings();
  const secrets = createMemorySecrets();
  const providers = testProviders({ settings, secrets });
  const { providerId } = await providers.save({ ...deepseek, baseUrl: server.url }, 'dk-123456789');

  expect([...secrets.values]).toEqual([[`provider:${providerId}`, 'dk-123456789']]);
  expect(JSON.stringify(settings.current.get())).not.toContain('dk-123456789');
  expect(JSON.stringify(providers.list.get())).not.toContain('dk-123456789');
  expect(providers.list.get()).toMatchObject([
    { id: providerId, isDefault: true, key: 'stored' },
    { id: 'demo' },
  ]);
  expect((await providers.pick('deepSEEK')).id).toBe(providerId);
  expect((await providers.pick(null)).id).toBe(providerId);

  await providers.setDefault('demo');
  expect((await providers.pick(null)).id).toBe('demo');
  await providers.remove(providerId);
  expect(secrets.values.size).toBe(0);
  expect(providers.list.get().map(({ id }) => id)).toEqual(['demo']);
});

test('two providers can’t answer under one tag', async () => {
  const providers = testProviders();
  await providers.save(deepseek);
  await expect(providers.save({ ...deepseek, tag: 'deepseek' })).rejects.toMatchObject({
    code: 'settings.tag-taken',
  });
});

test('a provider can’t answer under a tag that means something else, whichever of the two is changed', async () => {
  const settings = createMemorySettings();
  const providers = testProviders({ settings });
  for (const tag of ['User', '我', 'newchat', 'System', 'User/x', 'Demo'])
    await expect(providers.save({ ...deepseek, tag }, 'key-1234567')).rejects.toMatchObject({
      code: 'settings.tag-taken',
    });
  await providers.save(deepseek);
  for (const tag of ['deepseek', 'Demo', 'System'])
    expect(() => settings.change({ tags: { user: ['User', tag] } })).toThrow('The tag');
  expect(settings.current.get().tags.user).toEqual(['User', '我']);
});

test('a provider whose tag is taken on disk is said to be so, and nothing else is stopped', async () => {
  const settings = createMemorySettings({ providers: [{ ...deepseek, id: 'd', tag: 'User' }] });
  const providers = testProviders({ settings });
  expect(providers.list.get()).toMatchObject([
    { id: 'd', tagTaken: 'user' },
    { id: 'demo', tagTaken: null },
  ]);
  await expect(providers.pick('User')).rejects.toMatchObject({ code: 'provider.unknown' });
  expect(settings.change({ theme: 'dark' }).theme).toBe('dark');
});

test.each(['#', '*', 'C#', '4', 'a b', ''])('“%s” is no tag', (tag) => {
  expect(tagName.test(tag)).toBe(false);
});

test.each(['4o', 'Claude-4', '我', '🤖', 'a/b_c', '👩‍💻'])('“%s” is a tag', (tag) => {
  expect(tagName.test(tag)).toBe(true);
});

test('an unknown name is told', async () => {
  await expect(testProviders().pick('Nobody')).rejects.toMatchObject({ code: 'provider.unknown' });
});

test.each([
  [{ DEEPSEEK_API_KEY: 'from-vendor-variable', INTERLINEAR_API_KEY: 'other' }, 'Bearer from-vendor-variable'],
  [{ INTERLINEAR_API_KEY: 'from-our-variable' }, 'Bearer from-our-variable'],
])('a key is found in the environment %o', async (environment: Record<string, string>, header) => {
  server.answer({
    body: 'data: {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
  });
  const providers = testProviders({
    environment,
    settings: createMemorySettings({ providers: [{ ...deepseek, id: 'd', baseUrl: server.url }] }),
  });
  const outcome = await collect((await providers.pick('d')).stream(ask('Hello'), never));
  expect(outcome.text).toBe('Hi');
  expect(server.requests[0]?.headers.authorization).toBe(header);
  expect(providers.list.get()[0]?.key).toBe('environment');
});

test.each([
  ['openai', '{"data":[{"id":"b"},{"id":"a"}]}', '/v1/models'],
  [
    'anthropic',
    '{"data":[{"id":"b","type":"model"},{"id":"a","type":"model"}],"has_more":false}',
    '/v1/models?limit=1000',
  ],
  [
    'gemini',
    '{"models":[{"name":"models/b","supportedGenerationMethods":["generateContent"]},{"name":"models/a","supportedGenerationMethods":["generateContent"]},{"name":"models/c","supportedGenerationMethods":["embedContent"]}]}',
    '/v1beta/models?pageSize=1000',
  ],
  ['ollama', '{"models":[{"name":"b"},{"name":"a"}]}', '/api/tags'],
])('testing %s lists its models', async (vendor, body, url) => {
  server.answer({ body, headers: { 'content-type': 'application/json' } });
  const config = { vendor, tag: 'T', model: 'a', baseUrl: server.url };
  const check = await testProviders().check(config, 'some-key', never);
  expect(check).toMatchObject({ kind: 'ok', models: ['a', 'b'] });
  expect(server.requests[0]?.url).toBe(url);
});

test('a provider made up on the spot uses the key that is stored for its id', async () => {
  server.answer({
    body: 'data: {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
  });
  const providers = testProviders({ environment: { DEEPSEEK_API_KEY: 'from-environment' } });
  const { providerId } = await providers.save(deepseek, 'stored-key-1234');
  const provider = await providers.temporary({ ...deepseek, id: providerId, baseUrl: server.url }, null);
  await collect(provider.stream(ask('Hello'), never));
  expect(server.requests[0]?.headers.authorization).toBe('Bearer stored-key-1234');
});

test('testing Zhipu, which lists no models, asks it one word', async () => {
  server.answer({
    body: 'data: {"choices":[{"index":0,"delta":{"content":"OK"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
  });
  const config = { vendor: 'zhipu', tag: 'T', model: 'glm-5.2', baseUrl: server.url };
  expect(await testProviders().check(config, 'some-key', never)).toMatchObject({ kind: 'ok' });
  expect(server.requests[0]?.body).toMatchObject({ max_tokens: 16 });
});

test('a test says precisely what is wrong', async () => {
  const providers = testProviders();
  const check = (config: object, key?: string) =>
    providers.check({ vendor: 'openai', tag: 'T', model: 'm', ...config }, key, never);
  expect(await check({})).toMatchObject({
    kind: 'failed',
    failure: 'auth',
    next: expect.stringContaining('OPENAI_API_KEY'),
  });
  expect(await check({ vendor: 'openai-compatible' }, 'k')).toMatchObject({ kind: 'failed' });
  server.answer({ body: '{"data":[{"id":"a"}]}', headers: { 'content-type': 'application/json' }, cutAt: 5 });
  expect(await check({ baseUrl: server.url }, 'k')).toMatchObject({
    message: 'The list of models from OpenAI broke off before its end.',
    next: 'Try again.',
  });
  expect(await check({ baseUrl: server.url.replace('http:', 'https:') }, 'k')).toMatchObject({
    failure: 'network',
    next: expect.stringContaining('write http:// instead'),
  });
  expect(await check({ baseUrl: 'localhost' }, 'k')).toMatchObject({
    failure: 'bad-request',
    message: expect.stringContaining('localhost'),
  });
  server.answer({ status: 401, body: '{"error":{"message":"Incorrect API key","code":"invalid_api_key"}}' });
  expect(await check({ baseUrl: server.url }, 'k')).toMatchObject({
    failure: 'auth',
    next: expect.stringContaining('platform.openai.com'),
  });
  server.answer({ status: 404, body: '<html>' });
  expect(await check({ baseUrl: server.url }, 'k')).toMatchObject({
    failure: 'bad-request',
    message: expect.stringContaining(server.url),
  });
});

test('a running Ollama is found by itself', async () => {
  server.answer({
    body: '{"models":[{"name":"qwen3:4b"}]}',
    headers: { 'content-type': 'application/json' },
  });
  const providers = testProviders({ environment: { OLLAMA_HOST: server.url } });
  await expect
    .poll(() => providers.list.get().map(({ id, model }) => `${id} ${model}`))
    .toContain('ollama qwen3:4b');
  expect(providers.list.get().find(({ isDefault }) => isDefault)?.id).toBe('ollama');
  // Only the demo gives way by itself.
  await providers.save(deepseek);
  expect(providers.list.get().find(({ isDefault }) => isDefault)?.id).toBe('ollama');
});

test('an Ollama that is started after the app is found when somebody asks', async () => {
  server.answer({ status: 503, body: 'starting' });
  let now = 0;
  const clock = { ...systemClock, now: () => now };
  const providers = testProviders({ clock, environment: { OLLAMA_HOST: server.url } });
  expect((await providers.pick(null)).vendor).toBe('demo');
  server.answer({
    body: '{"models":[{"name":"qwen3:4b"}]}',
    headers: { 'content-type': 'application/json' },
  });
  now += 2_000;
  expect((await providers.pick(null)).vendor).toBe('ollama');
});

test('a provider whose key is refused is marked, until the key is taken or another one is saved', async () => {
  const providers = testProviders();
  const isMarked = () => providers.list.get().some(({ keyRefused }) => keyRefused);
  const config = { ...deepseek, baseUrl: server.url };
  const { providerId } = await providers.save(config, 'dk-123456789');
  const refuse = () => server.answer({ status: 401, body: '{"error":{"message":"Invalid API key"}}' });
  const take = () =>
    server.answer({
      headers: { 'content-type': 'application/json' },
      body: '{"data":[{"id":"deepseek-chat"}]}',
    });
  const check = (key?: string) => providers.check({ ...config, id: providerId }, key, never);

  refuse();
  await check('typed-123456789');
  expect(isMarked()).toBe(false);
  refuse();
  await collect((await providers.pick(providerId)).stream(ask('Hello'), never)).catch(() => undefined);
  expect(isMarked()).toBe(true);
  take();
  await check();
  expect(isMarked()).toBe(false);
  refuse();
  await check();
  expect(isMarked()).toBe(true);
  await providers.save({ ...config, id: providerId }, 'dk-987654321');
  expect(isMarked()).toBe(false);
});
