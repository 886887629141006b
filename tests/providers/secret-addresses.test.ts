import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { maskedAddress } from '../../src/core/foundation';
import { setNetwork } from '../../src/core/network';
import { createMemorySettings } from '../support/in-memory';
import { ask, collect, testProviders } from './support';

const key = 'Zq7secretOfMine42';
let host = '';
const arrived: string[] = [];
const server = createServer((request, response) => {
  arrived.push(request.url ?? '');
  const isEcho = request.url?.startsWith('/echo');
  if (isEcho) response.writeHead(403, { 'content-type': 'text/plain' }).end(`no such page ${request.url}`);
  else response.writeHead(502, { 'content-type': 'text/html' }).end('<html>no</html>');
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Each way in which a secret stands in an address. */
const forms: Readonly<Record<string, () => string>> = {
  'a password': () => `http://me:${key}@${host}/v1`,
  'a name alone': () => `http://${key}@${host}/v1`,
  'a password without slashes': () => `http:me:${key}@${host}/v1`,
  'a password with backslashes': () => `http:\\\\me:${key}@${host}/v1`,
  'a password with signs of an address': () => `http://me:a/b#${key}@${host}/v1`,
  'no scheme': () => `me:${key}@${host}/v1`,
  'a query': () => `http://${host}/v1?api_key=${key}`,
  'a query among others': () => `http://${host}/v1?a=b&Token=${key}&c=d`,
  'a query with a short name': () => `http://${host}/v1?code=${key}`,
  'a query with an escaped name': () => `http://${host}/v1?api%5Fkey=${key}`,
  'a query with a name in part escaped': () => `http://${host}/v1?ke%79=${key}`,
  'a query with a name that says nothing': () => `http://${host}/v1?k=${key}`,
  'the whole query': () => `http://${host}/v1?${key}`,
  'a password, escaped': () => `http://me%3A${key}%40${host}/v1`,
  'a known kind of key as the whole query': () => `http://${host}/v1?sk-${key}`,
  'a parameter of the path': () => `http://${host}/v1;key=${key}`,
  'a fragment': () => `http://${host}/v1#access_token=${key}`,
};
const config = (baseUrl: string) => ({
  ...{ vendor: 'openai-compatible', tag: 'Local', model: 'm', format: 'openai-chat' as const, baseUrl },
});
const wordsOf = (error: unknown) => (error instanceof Error ? error.message : JSON.stringify(error));
const noSignal = () => AbortSignal.timeout(10_000);

/** Each place that such an address comes from, and what is said and shown there. */
const places: Readonly<Record<string, (baseUrl: string) => Promise<string>>> = {
  'an answer by settings that hold it': async (baseUrl) => {
    const settings = createMemorySettings({ providers: [{ id: 'p', ...config(baseUrl) }] });
    const provider = await testProviders({ settings }).pick('p');
    return wordsOf((await collect(provider.stream(ask('Hi'), noSignal()))).error);
  },
  'an answer by the command line': async (baseUrl) => {
    const provider = await testProviders().temporary({ id: 'p', ...config(baseUrl) }, null);
    return wordsOf((await collect(provider.stream(ask('Hi'), noSignal()))).error);
  },
  'a check': async (baseUrl) => wordsOf(await testProviders().check(config(baseUrl), undefined, noSignal())),
  'a list of models': async (baseUrl) =>
    wordsOf(await testProviders().models(config(baseUrl), undefined, true, noSignal())),
  'a pulled model': async (baseUrl) => {
    const ollama = { ...config(baseUrl), vendor: 'ollama', format: 'ollama-chat' as const };
    const pulling = testProviders().pull(ollama, 'm', noSignal());
    return pulling[Symbol.asyncIterator]().next().then(wordsOf, wordsOf);
  },
  OLLAMA_HOST: async (baseUrl) => {
    const providers = testProviders({ environment: { OLLAMA_HOST: baseUrl } });
    const { baseUrl: _, ...rest } = config('');
    return wordsOf(await providers.check({ ...rest, vendor: 'ollama' }, undefined, noSignal()));
  },
  saving: async (baseUrl) => {
    const settings = createMemorySettings();
    const words = await testProviders({ settings }).save(config(baseUrl)).then(wordsOf, wordsOf);
    expect(settings.current.get().providers).toEqual([]);
    return words;
  },
};

for (const [place, reach] of Object.entries(places))
  test.each(Object.entries(forms))(
    `in ${place} an address with %s is not used, and not shown with it`,
    async (_form, address) => {
      arrived.length = 0;
      const words = await reach(address());
      expect(words).not.toContain(key);
      expect(words).toContain('put the key into the key field');
      expect(arrived.filter((path) => path.includes(key))).toEqual([]);
    },
  );

test.each(Object.entries(forms))(
  'a provider whose address has %s is listed without it, and can be mended',
  async (_form, address) => {
    const settings = createMemorySettings({ providers: [{ id: 'p', ...config(address()) }] });
    const providers = testProviders({ settings });
    const [shown] = await providers.listed();
    expect(JSON.stringify(shown)).not.toContain(key);
    const { id, vendor, tag, model, format, baseUrl } = shown ?? expect.unreachable();
    const seen = { id, vendor, tag, model, ...(format && { format }), ...(baseUrl && { baseUrl }) };
    await expect(providers.save(seen, undefined, seen)).rejects.toMatchObject({ code: 'request.invalid' });
    await providers.save({ ...seen, baseUrl: `http://${host}/v1` }, key, seen);
    expect(settings.current.get().providers[0]?.baseUrl).toBe(`http://${host}/v1`);
  },
);

test('a key in the path of an address is used there, and not shown where that fails', async () => {
  const words = await places['a check']?.(`http://${host}/sk-${key}/v1`);
  expect(words).not.toContain(key);
  expect(arrived.at(-1)).toContain(key);
});

test.each([`key=${key}`, `key=${'abcdefgh'.repeat(3)}`, key, `bot123456:${key}`])(
  'a server that repeats the path it was asked at has %s hidden in what it says',
  async (part) => {
    const words = await places['a check']?.(`http://${host}/echo/${part}/v1`);
    expect(words).toContain('no such page /echo/');
    expect(words).not.toContain(part.replace(/^key=/, ''));
  },
);

test.each([
  'https://api.example/v1',
  'https://api.example:8443/openai?api-version=2024-10-21',
  'https://api.example/v1?deployment=claude-sonnet-4-5-20250929&region=eu-central-1&debug',
  'http://localhost:11434/@me/v1',
  'http://[::1]:1234/v1#part',
  'no address',
])('an address without secrets is shown as it is: %s', (address) => {
  expect(maskedAddress(address)).toBe(address);
});

test.each(['http://me:%s@127.0.0.1:1', 'me:%s@127.0.0.1:1', 'http://me:%s@no host:x'])(
  'of a proxy that fails its password is not said: %s',
  async (proxy) => {
    const HTTP_PROXY = proxy.replace('%s', key);
    setNetwork({ environment: { HTTP_PROXY }, caFile: () => '' });
    const records: unknown[] = [];
    const providers = testProviders({ onLog: (record) => records.push(record) });
    const words = wordsOf(await providers.check(config('http://model.test/v1'), undefined, noSignal()));
    setNetwork({ environment: {}, caFile: () => '' });
    expect(words).toContain('model.test');
    expect(words + JSON.stringify(records)).not.toContain(key);
  },
);
