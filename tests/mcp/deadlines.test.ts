import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { call, ends, endsWithin, folder, idOf, isAlive, ours, world } from './setup';

async function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

const events = { 'content-type': 'text/event-stream' };
const silent: Record<string, (asked: () => void) => RequestListener> = {
  'a stream that says nothing': (asked) => (request, response) => {
    if (request.method === 'GET') response.writeHead(200, events).flushHeaders();
    asked();
  },
  'a stream after which nothing is answered': (asked) => (request, response) => {
    if (request.method === 'GET') response.writeHead(200, events).write('event: endpoint\ndata: /m\n\n');
    else asked();
  },
  'no answer at all': (asked) => () => asked(),
};

for (const [name, listener] of Object.entries(silent)) {
  test(`a server that meets us with ${name} is stopped at once, and so is the app`, async () => {
    let asked: () => void = () => undefined;
    const wasAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const url = await serving(listener(() => asked()));
    const { mcp } = await world({ mute: { url, transport: 'sse' } });
    await wasAsked;
    expect(await endsWithin(2_000, mcp.stop(idOf(mcp, 'mute')))).toBe(true);
    await mcp.start(idOf(mcp, 'mute'));
    expect(await endsWithin(2_000, mcp.close())).toBe(true);
  });
}

test('a server that never lists its tools is stopped at once', async () => {
  const record = join(folder(), 'record');
  const { command, args } = ours('no-ping');
  const { mcp, until } = await world({ mute: { command, args: [...args, record, 'lists-nothing'] } });
  await until('mute', ({ state }) => state.kind === 'starting');
  await expect.poll(() => readFileSync(record, { encoding: 'utf8', flag: 'a+' })).toContain('tools/list');
  expect(await endsWithin(2_000, mcp.stop(idOf(mcp, 'mute')))).toBe(true);
});

const textOf = async (answer: ReturnType<typeof call>) =>
  (await answer).parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');

for (const way of ['stop', 'restart', 'close'] as const) {
  test(`a program that ignores the end of its input and SIGTERM, with one that it started, is left behind in two seconds and gone: ${way}`, async () => {
    const { mcp } = await world({ bad: ours('stubborn-family') });
    const pids = (await textOf(call(mcp, 'bad', 'pids'))).split(' ').map(Number);
    expect(pids.map(isAlive)).toEqual([true, true]);
    const ended = way === 'close' ? mcp.close() : mcp[way](idOf(mcp, 'bad'));
    expect(await endsWithin(2_000, ended)).toBe(true);
    for (const pid of pids) expect(await ends(pid)).toBe(true);
  });
}

for (const way of ['stop', 'restart', 'close'] as const) {
  test.skipIf(process.platform !== 'linux')(
    `on Linux: what a program has started in sessions of their own is gone with it, also below one that ends by itself: ${way}`,
    async () => {
      const { mcp } = await world({ bad: ours('sessions') });
      const pids = (await textOf(call(mcp, 'bad', 'pids'))).split(' ').map(Number);
      expect(pids.map(isAlive)).toEqual([true, true, true, true]);
      const ended = way === 'close' ? mcp.close() : mcp[way](idOf(mcp, 'bad'));
      expect(await endsWithin(2_000, ended)).toBe(true);
      for (const pid of pids) expect(await ends(pid)).toBe(true);
    },
  );
}

test('a session over HTTP whose end is not answered is left behind in two seconds', async () => {
  const url = await serving((request, response) => {
    // Neither the stream of news nor the farewell is ever answered.
    if (request.method !== 'POST') return;
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { id, method, params } = JSON.parse(body);
      if (id === undefined) return void response.writeHead(202).end();
      const serverInfo = { name: 'a', version: '1' };
      const result =
        method === 'initialize'
          ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo }
          : { tools: [] };
      if (method !== 'initialize' && method !== 'tools/list') return void response.writeHead(400).end();
      response
        .writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'one' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  });
  const { mcp } = await world({ mute: { url } });
  await mcp.ready(idOf(mcp, 'mute'));
  expect(await endsWithin(2_000, mcp.stop(idOf(mcp, 'mute')))).toBe(true);
  await mcp.ready(idOf(mcp, 'mute'));
  expect(await endsWithin(2_000, mcp.close())).toBe(true);
});

for (const how of ['refuses', 'silent']) {
  test(`a server without ping that answers what it can is alive: it ${how === 'silent' ? 'says nothing' : how}`, async () => {
    const record = join(folder(), 'record');
    const { command, args } = ours('no-ping');
    const { mcp, until } = await world({ odd: { command, args: [...args, record, how] } });
    await until('odd', ({ state }) => state.kind === 'ready');
    const states = new Set<string>();
    const stop = mcp.servers.onChange(({ servers }) =>
      states.add(servers.find(({ name }) => name === 'odd')?.state.kind ?? ''),
    );
    const answered = mcp.metrics.get().find(({ name }) => name === 'odd')?.lastSuccess ?? 0;
    for (let round = 0; round < 2; round++) {
      mcp.wake();
      await expect
        .poll(() => mcp.metrics.get().find(({ name }) => name === 'odd')?.lastSuccess ?? 0, {
          timeout: 20_000,
        })
        .toBeGreaterThan(answered);
    }
    stop();
    expect([...states].filter((kind) => kind !== 'ready' && kind !== 'degraded')).toEqual([]);
    expect((await call(mcp, 'odd', 'x')).isError).toBe(false);
  });
}

test('a stream of news that ends at once is asked for more and more rarely', async () => {
  let listens = 0;
  const complete = (result: object) => ({ resultType: 'complete', ...result });
  const url = await serving((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { id, method } = JSON.parse(body || '{}');
      const answer = (result: object) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, result: complete(result) }));
      if (method === 'server/discover')
        answer({
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: { listChanged: true } },
          ttlMs: 1,
          cacheScope: 'private',
        });
      else if (method === 'tools/list') answer({ tools: [], ttlMs: 60_000, cacheScope: 'private' });
      else if (method === 'subscriptions/listen') {
        listens++;
        const params = {
          _meta: { 'io.modelcontextprotocol/subscriptionId': id },
          notifications: { toolsListChanged: true },
        };
        response.writeHead(200, events);
        response.end(
          `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params })}\n\n`,
        );
      } else response.writeHead(202).end();
    });
  });
  const { until } = await world({ hasty: { url } });
  await until('hasty', ({ state }) => state.kind === 'ready');
  await expect.poll(() => listens, { timeout: 10_000 }).toBeGreaterThan(1);
  expect(listens).toBeLessThan(5);
});
