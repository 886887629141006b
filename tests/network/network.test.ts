import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { WireFormat } from '../../src/contract/providers';
import { reasonWords } from '../../src/contract/server-reasons';
import { networkFetch, setNetwork } from '../../src/core/network';
import { world } from '../mcp/setup';
import { ask, collect, providerAt } from '../providers/support';
import { privateAuthority } from '../support/certificates';
import { type ForwardProxy, startProxy } from '../support/proxy';

/** No such name exists: whoever reaches it came through the proxy. */
const host = 'models.example.invalid';
const authority = privateAuthority([host]);
const folder = mkdtempSync(join(tmpdir(), 'network-'));
const caFile = join(folder, 'ca.pem');
const answer = 'data: {"choices":[{"delta":{"content":"Good."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

beforeAll(() => {
  writeFileSync(caFile, authority.ca);
  return () => rmSync(folder, { recursive: true });
});
afterEach(() => setNetwork({ environment: {}, caFile: () => '' }));

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const speak: RequestListener = (request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(answer);
};
const plainServer = (listener: RequestListener = speak) => listen(createHttpServer(listener));
const safeServer = (listener: RequestListener = speak) => listen(createTlsServer(authority, listener));

async function proxyTo(port: number, options?: { password?: string }): Promise<ForwardProxy> {
  const proxy = await startProxy(port, options);
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  return proxy;
}

async function speakTo(address: string, vendor = 'openai-compatible', format: WireFormat = 'openai-chat') {
  const provider = await providerAt(address, vendor, format);
  return collect(provider.stream(ask('Hello'), AbortSignal.timeout(10_000)));
}

test('a provider is reached through the proxy of HTTPS_PROXY, once the company’s authority is trusted', async () => {
  const proxy = await proxyTo(await safeServer());
  const environment = { HTTPS_PROXY: proxy.url.replace('http://', '') };
  setNetwork({ environment, caFile: () => '' });
  expect((await speakTo(`https://${host}/v1`)).error).toMatchObject({
    message: expect.stringContaining('certificate is not trusted'),
    details: { failure: 'network' },
  });
  // The setting holds for the next request, without a new start.
  setNetwork({ environment, caFile: () => caFile });
  expect(await speakTo(`https://${host}/v1`)).toMatchObject({ text: 'Good.', error: null });
  expect(new Set(proxy.seen)).toEqual(new Set([`CONNECT ${host}:443`]));
  setNetwork({ environment: { ...environment, NODE_EXTRA_CA_CERTS: caFile }, caFile: () => '' });
  expect(await speakTo(`https://${host}/v1`)).toMatchObject({ text: 'Good.', error: null });
});

test('an address without encryption goes to the proxy as a whole', async () => {
  const proxy = await proxyTo(await plainServer());
  setNetwork({ environment: { http_proxy: proxy.url }, caFile: () => '' });
  expect(await speakTo(`http://${host}/v1`)).toMatchObject({ text: 'Good.', error: null });
  expect(proxy.seen).toEqual([`POST http://${host}/v1/chat/completions`]);
});

test('this computer and what NO_PROXY names are asked directly', async () => {
  const port = await plainServer();
  const proxy = await proxyTo(port);
  const environment = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url };
  setNetwork({ environment, caFile: () => '' });
  expect(await speakTo(`http://127.0.0.1:${port}/v1`)).toMatchObject({ text: 'Good.' });
  expect(await speakTo(`http://localhost:${port}/v1`)).toMatchObject({ text: 'Good.' });
  for (const NO_PROXY of ['example.invalid', '*']) {
    setNetwork({ environment: { ...environment, NO_PROXY }, caFile: () => '' });
    await expect(networkFetch(`http://${host}/`)).rejects.toMatchObject({
      cause: { code: /ENOTFOUND|EAI_AGAIN/ },
    });
  }
  expect(proxy.seen).toEqual([]);
});

test('a proxy’s name and password go along; where it refuses, that is what is said', async () => {
  const proxy = await proxyTo(await safeServer(), { password: 'me:open sesame' });
  const named = (user: string) => ({ HTTPS_PROXY: proxy.url.replace('://', `://${user}@`) });
  setNetwork({ environment: named('me:open%20sesame'), caFile: () => caFile });
  expect(await speakTo(`https://${host}/v1`)).toMatchObject({ text: 'Good.', error: null });
  setNetwork({ environment: named('me:wrong'), caFile: () => caFile });
  expect((await speakTo(`https://${host}/v1`)).error).toMatchObject({
    message: expect.stringContaining('The proxy refused'),
    details: { failure: 'network' },
  });
});

test('a file with certificates that is not there is named as the reason, where certificates are needed', async () => {
  setNetwork({ environment: {}, caFile: () => join(folder, 'none.pem') });
  const plain = await plainServer();
  expect((await speakTo(`http://127.0.0.1:${plain}/v1`)).error).toBeNull();
  const port = await safeServer();
  expect((await speakTo(`https://127.0.0.1:${port}/v1`)).error).toMatchObject({
    message: expect.stringContaining('file with certificates cannot be read'),
  });
});

/** Enough of an MCP server for a connection and one tool. */
const mcpServer: RequestListener = async (request, response) => {
  if (request.method !== 'POST') return void response.writeHead(405).end();
  let body = '';
  for await (const chunk of request) body += chunk;
  const { id, method, params } = JSON.parse(body);
  const results: Record<string, unknown> = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'far', version: '1' },
    },
    'tools/list': { tools: [{ name: 'x', inputSchema: { type: 'object' } }] },
    ping: {},
  };
  if (id === undefined) return void response.writeHead(202).end();
  if (!(method in results)) return void response.writeHead(400).end();
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }));
};

test('an MCP server is reached the same way', async () => {
  const proxy = await proxyTo(await safeServer(mcpServer));
  setNetwork({ environment: { HTTPS_PROXY: proxy.url }, caFile: () => caFile });
  const { until } = await world({ far: { type: 'http', url: `https://${host}/mcp` } });
  const server = await until('far', ({ state }) => state.kind === 'ready' || state.kind === 'failed');
  expect(server.state.kind).toBe('ready');
  expect(proxy.seen[0]).toBe(`CONNECT ${host}:443`);
});

test.each<[string, WireFormat]>([
  ['openai-compatible', 'openai-chat'],
  ['azure', 'openai-chat'],
  ['openai', 'openai-responses'],
  ['anthropic', 'anthropic-messages'],
  ['gemini', 'gemini-generateContent'],
  ['ollama', 'ollama-chat'],
])('neither key nor words of %s (%s) follow a redirect to another place', async (vendor, format) => {
  const elsewhere: unknown[] = [];
  const other = await plainServer((request, response) => {
    elsewhere.push(request.headers);
    response.end();
  });
  const first = await plainServer((request, response) => {
    request.resume();
    response.writeHead(307, { location: `http://127.0.0.1:${other}${request.url}` }).end();
  });
  const { error, retries } = await speakTo(`http://127.0.0.1:${first}`, vendor, format);
  expect(error).toMatchObject({
    message: expect.stringContaining(`on to http://127.0.0.1:${other}, which was not followed`),
    details: { failure: 'network' },
  });
  expect(retries).toEqual([]);
  expect(elsewhere).toEqual([]);
});

test('a redirect within the same place is followed with everything', async () => {
  const bodies: string[] = [];
  const port = await plainServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (request.url === '/v1/chat/completions')
      return void response.writeHead(308, { location: '/v2/chat' }).end();
    bodies.push(`${request.method} ${request.headers.authorization} ${JSON.parse(body).model}`);
    speak(request, response);
  });
  expect(await speakTo(`http://127.0.0.1:${port}/v1`)).toMatchObject({ text: 'Good.', error: null });
  expect(bodies).toEqual(['POST Bearer test-key-123456 test-model']);
});

test.each([301, 302, 303, 307, 308])('the headers of an MCP server stay with it, too: %i', async (status) => {
  const elsewhere: unknown[] = [];
  const other = await plainServer((request, response) => {
    elsewhere.push(request.headers);
    mcpServer(request, response);
  });
  const first = await plainServer((request, response) => {
    request.resume();
    response.writeHead(status, { location: `http://127.0.0.1:${other}/mcp` }).end();
  });
  const { until } = await world({
    far: {
      type: 'http',
      url: `http://127.0.0.1:${first}/mcp`,
      headers: { 'X-Key': 'secret', Authorization: 'Bearer secret' },
    },
  });
  const { lastError } = await until('far', ({ lastError: now }) => now !== null);
  expect(lastError && reasonWords(lastError.reason)).toContain(String(status));
  expect(elsewhere).toEqual([]);
});
