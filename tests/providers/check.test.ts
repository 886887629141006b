import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { ProviderConfig } from '../../src/contract/providers';
import { testProviders } from './support';

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const check = (vendor: string, baseUrl: string, more: Partial<ProviderConfig> = {}) =>
  testProviders().check(
    { vendor, tag: 'T', model: 'm', baseUrl, ...more },
    'test-key-123456',
    AbortSignal.timeout(10_000),
  );

test.each(['openai-compatible', 'openai', 'anthropic', 'gemini', 'ollama', 'openrouter'])(
  'an address that answers with any JSON is no provider: %s',
  async (vendor) => {
    for (const body of ['{"hello":"world"}', '"fine"', 'null']) {
      const url = await listen((_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(body);
      });
      expect(await check(vendor, url), body).toMatchObject({
        kind: 'failed',
        failure: 'bad-request',
        message: expect.stringContaining('no list of models'),
      });
    }
  },
);

test('a bare list, as some compatible servers send it, is a list', async () => {
  const url = await listen((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('[{"id":"b"},{"id":"a"}]');
  });
  expect(await check('openai-compatible', url)).toMatchObject({ kind: 'ok', models: ['a', 'b'] });
});

test('OpenRouter, which lists its models for anybody, is asked about the key itself', async () => {
  const asked: string[] = [];
  const url = await listen((request, response) => {
    asked.push(`${request.url} ${request.headers.authorization}`);
    const known = request.headers.authorization === 'Bearer good-key-123456';
    const [status, body] =
      request.url === '/key' && !known
        ? [401, { error: { message: 'User not found.', code: 401 } }]
        : request.url === '/key'
          ? [200, { data: { label: 'mine', usage: 0 } }]
          : [200, { data: [{ id: 'openrouter/auto' }] }];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  expect(await check('openrouter', url)).toMatchObject({ kind: 'failed', failure: 'auth' });
  expect(asked).toEqual(['/key Bearer test-key-123456']);
  const config = { vendor: 'openrouter', tag: 'T', model: 'm', baseUrl: url };
  const good = await testProviders().check(config, 'good-key-123456', AbortSignal.timeout(10_000));
  expect(good).toMatchObject({ kind: 'ok', models: ['openrouter/auto'] });
});
