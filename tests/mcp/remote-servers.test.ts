import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { call, idOf, world } from './setup';

type Answer = (response: ServerResponse, request: { id: number }) => void;

const json = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const text = (value: string) => ({ content: [{ type: 'text', text: value }] });

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
      else if (method === 'tools/call') {
        const { as, bytes } = params.arguments;
        const body = JSON.stringify({ jsonrpc: '2.0', id, result: text('x'.repeat(bytes)) });
        if (as === 'json') response.writeHead(200, { 'content-type': 'application/json' }).end(body);
        else response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${body}\n\n`);
      } else if (id === undefined) response.writeHead(202).end();
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

for (const as of ['json', 'events']) {
  test(`an answer of 11 MB over HTTP is taken, one of 70 MB is refused at once, and the server stays: ${as}`, async () => {
    const url = await legacyServer((response) => response.writeHead(400).end());
    const { mcp } = await world({ x: { url } });
    const big = await call(mcp, 'x', 'x', { as, bytes: 11_000_000 });
    expect(JSON.stringify(big.parts).length).toBeGreaterThan(11_000_000);
    const tooBig = call(mcp, 'x', 'x', { as, bytes: 70_000_000 }, { timeoutMs: 30_000 });
    await expect(tooBig).rejects.toMatchObject({
      code: 'mcp.protocol',
      details: { reason: 'It sent a message of more than 64 MiB.' },
    });
    expect((await call(mcp, 'x', 'x', { as, bytes: 1 })).parts).toEqual([{ kind: 'text', text: 'x' }]);
  });
}

test('a server of the modern era over HTTP: called, cancelled by closing its stream', async () => {
  let cancelled: () => void = () => undefined;
  const seenCancel = new Promise<void>((resolve) => {
    cancelled = resolve;
  });
  let called: () => void = () => undefined;
  const seenCall = new Promise<void>((resolve) => {
    called = resolve;
  });
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'modern', version: '1' });
    server.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, async ({ text: said }) => ({
      content: [{ type: 'text', text: said }],
    }));
    server.registerTool('wait', { inputSchema: z.object({}) }, async (_args, context) => {
      called();
      await new Promise<void>((resolve) => context.mcpReq.signal.addEventListener('abort', () => resolve()));
      cancelled();
      return { content: [] };
    });
    return server;
  });
  const http = createServer(toNodeHandler(handler));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const { mcp, until } = await world({
    modern: { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp` },
  });
  const { server } = await until('modern', ({ state }) => state.kind === 'ready');
  expect(server).toEqual({ name: 'modern', version: '1', era: 'modern' });
  expect((await call(mcp, 'modern', 'echo', { text: 'hi' })).parts).toEqual([{ kind: 'text', text: 'hi' }]);
  const stop = new AbortController();
  const waiting = call(mcp, 'modern', 'wait', {}, { signal: stop.signal });
  await seenCall;
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'request.cancelled' });
  await seenCancel;
});

for (const status of [404, 400]) {
  test(`a session that the server has forgotten is opened anew, and the call is made in it: HTTP ${status}`, async () => {
    let session = 0;
    const server = createServer((request, response) => {
      if (request.method !== 'POST') return void response.writeHead(405).end();
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        const { id, method, params } = JSON.parse(body);
        const result = (value: unknown) => json(response, { jsonrpc: '2.0', id, result: value });
        if (method === 'server/discover') return void response.writeHead(405).end();
        if (method === 'initialize') {
          response.setHeader('mcp-session-id', `session-${++session}`);
          const { protocolVersion } = params;
          return result({
            protocolVersion,
            capabilities: { tools: {} },
            serverInfo: { name: 's', version: '1' },
          });
        }
        if (request.headers['mcp-session-id'] !== `session-${session}`)
          return void response.writeHead(status).end('Bad Request: No valid session ID provided');
        if (id === undefined) return void response.writeHead(202).end();
        if (method === 'tools/list')
          return result({ tools: [{ name: 'x', inputSchema: { type: 'object' } }] });
        return result(method === 'tools/call' ? text(`in ${request.headers['mcp-session-id']}`) : {});
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const { mcp, until } = await world({ x: { url } });
    await until('x', ({ state }) => state.kind === 'ready');
    expect((await call(mcp, 'x', 'x')).parts).toEqual([{ kind: 'text', text: 'in session-1' }]);
    session++;
    expect((await call(mcp, 'x', 'x')).parts).toEqual([{ kind: 'text', text: 'in session-3' }]);
  });
}

test('an older server that leads to another place says so as the reason, not that it was stopped', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('event: endpoint\ndata: http://127.0.0.1:1/messages\n\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`;
  const { mcp } = await world({ old: { url, type: 'sse', autostart: false } });
  const said = await mcp.ready(idOf(mcp, 'old')).catch((error: Error) => error.message);
  expect(said).toMatch(/origin/i);
  expect(said).not.toContain('stopped');
});
