import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { idOf, world } from './setup';

type Answer = (response: ServerResponse, request: { id: number }) => void;

const json = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

/** A server of the handshake era that meets the question about the modern one in its own way. */
async function legacyServer(probe: Answer, seen: IncomingMessage[] = []): Promise<string> {
  const server = createServer((request, response) => {
    seen.push(request);
    if (request.method !== 'POST') return void response.writeHead(405).end();
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { id, method, params } = JSON.parse(body);
      const result = (value: unknown) => json(response, { jsonrpc: '2.0', id, result: value });
      if (method === 'server/discover') probe(response, { id });
      else if (method === 'initialize')
        result({
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'old', version: '1' },
        });
      else if (method === 'tools/list') result({ tools: [{ name: 'x', inputSchema: { type: 'object' } }] });
      else if (id === undefined) response.writeHead(202).end();
      else result({});
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

const probes: Record<string, Answer> = {
  'HTTP 500': (response) => response.writeHead(500).end('oops'),
  'HTTP 502': (response) => response.writeHead(502).end(),
  'HTTP 403': (response) => response.writeHead(403).end(),
  'HTTP 400': (response) => response.writeHead(400).end(),
  'an empty 200': (response) => response.writeHead(200).end(),
  'HTTP 202': (response) => response.writeHead(202).end(),
  'an error without an id': (response) =>
    json(response, { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no' } }),
  'no answer': () => undefined,
};

for (const [name, probe] of Object.entries(probes)) {
  test(`an old server that answers the question about the modern era with ${name} is spoken to all the same`, async () => {
    const url = await legacyServer(probe);
    const { until } = await world({ old: { url, initTimeout: 3_000 } });
    const { server, tools } = await until('old', ({ state }) => state.kind !== 'starting');
    expect(server).toEqual({ name: 'old', version: '1', era: 'legacy' });
    expect(tools).toBe(1);
  });
}

test('a server that wants a sign-in says so and is not tried again and again', async () => {
  const url = await legacyServer((response) =>
    response.writeHead(401, { 'www-authenticate': 'Bearer' }).end(),
  );
  const { mcp, until } = await world({ closed: { url } });
  await until('closed', ({ state }) => state.kind === 'needs-sign-in');
  await expect(mcp.ready(idOf(mcp, 'closed'))).rejects.toMatchObject({ code: 'mcp.sign-in-needed' });
});

test('configured headers are sent with every request, filled in, and shown to nobody', async () => {
  const seen: IncomingMessage[] = [];
  const url = await legacyServer(probes['HTTP 400']!, seen);
  const headers = { Authorization: `Bearer \${secret:t}`, 'X-Literal': 'plain-secret' };
  const { until, server } = await world({ x: { url, headers } }, { secrets: { t: 'abc' } });
  await until('x', ({ state }) => state.kind === 'ready');
  expect(new Set(seen.map((request) => request.headers.authorization))).toEqual(new Set(['Bearer abc']));
  expect(new Set(seen.map((request) => request.headers['x-literal']))).toEqual(new Set(['plain-secret']));
  expect(JSON.stringify(server('x'))).not.toContain('plain-secret');
  expect(server('x').headers.Authorization).toEqual({ kind: 'reference', text: `Bearer \${secret:t}` });
});
