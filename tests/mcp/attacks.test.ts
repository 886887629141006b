import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { call, folder, idOf, ours, world } from './setup';
import { signInService } from './sign-in-service';

type Listener = (request: IncomingMessage, response: ServerResponse, body: string) => void;

async function listen(answer: Listener): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    answer(request, response, body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const events = { 'content-type': 'text/event-stream' };

/** The handshake and one tool; a call is for the test to answer. */
const oldServer =
  (onCall: (response: ServerResponse, id: number) => void, revision?: string): Listener =>
  (request, response, body) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(body);
    const results: Record<string, unknown> = {
      initialize: {
        protocolVersion: revision ?? params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'old', version: '1' },
      },
      'tools/list': { tools: [{ name: 'x', inputSchema: { type: 'object' } }] },
      ping: {},
    };
    if (method === 'tools/call') return onCall(response, id);
    if (id === undefined) return void response.writeHead(202).end();
    if (!(method in results)) return void response.writeHead(400).end();
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }));
  };

test('what a shell would run stands in arguments as plain characters', async () => {
  const marker = join(folder(), 'ran');
  const words = [
    `$(touch ${marker})`,
    `\`touch ${marker}\``,
    `; touch ${marker}`,
    `&& touch ${marker}`,
    '| a',
  ];
  const args = [...words, '"', "'", '%PATH%', '^&', '*', '~', '$HOME', '', 'a b'];
  const environment = ours('environment');
  const { mcp } = await world({ a: { ...environment, args: [...environment.args, ...args] } });
  const [part] = (await call(mcp, 'a', 'args')).parts;
  expect(part?.kind === 'text' && JSON.parse(part.text)).toEqual(args);
  expect(existsSync(marker)).toBe(false);
});

test('an address to sign in at reaches the browser as one encoded address, whatever stands in it', async () => {
  const service = await signInService({
    metadata: (origin) => ({ authorization_endpoint: `${origin}/authorize?a=$(id)\`id\`;|&"<> \n'x` }),
  });
  const opened: string[] = [];
  const { mcp } = await world(
    { guarded: { url: service.url } },
    { openExternal: async (url) => void opened.push(url) },
  );
  const stop = new AbortController();
  const signedIn = mcp.signIn(idOf(mcp, 'guarded'), 'browser', stop.signal).catch(() => undefined);
  await expect.poll(() => opened).toHaveLength(1);
  expect(new URL(opened[0] ?? '').origin).toBe(service.origin);
  expect(opened[0]).not.toMatch(/[\s"<>`]/);
  stop.abort();
  await signedIn;
});

test('a server that sends its requests on to elsewhere is not followed, and its key stays', async () => {
  const presented: (string | undefined)[] = [];
  const elsewhere = await listen((request, response) => {
    presented.push(request.headers.authorization);
    response.writeHead(500).end();
  });
  for (const status of [302, 307, 308]) {
    const near = await listen((_request, response) =>
      response.writeHead(status, { location: `${elsewhere}/mcp` }).end(),
    );
    const { until } = await world({
      a: { url: `${near}/mcp`, headers: { Authorization: 'Bearer own-key' } },
    });
    await until('a', ({ state }) => state.kind !== 'starting' && state.kind !== 'stopped');
  }
  expect(presented).toEqual([]);
});

/** How a server goes on after the call came; each leaves the answer to the POST open. */
const openStreams: Record<string, (response: ServerResponse, id: number) => void> = {
  'says nothing, not even a status': () => undefined,
  'begins a stream and says nothing': (response) => response.writeHead(200, events).flushHeaders(),
  'trickles comments': (response) => {
    response.writeHead(200, events);
    const timer = setInterval(() => response.write(': still here\n\n'), 20);
    response.on('close', () => clearInterval(timer));
  },
  'numbers its events, so that the stream could be taken up again': (response) => {
    response.writeHead(200, events).write('id: 7\nretry: 10\ndata:\n\n');
  },
  'answers and leaves the stream open': (response, id) => {
    const answer = { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'done' }] } };
    response.writeHead(200, events).write(`data: ${JSON.stringify(answer)}\n\n`);
  },
};

for (const revision of ['2025-03-26', '2025-06-18', '2025-11-25'])
  test.each(Object.keys(openStreams))(
    `a call keeps no stream once it is over, in revision ${revision}: the server %s`,
    async (how) => {
      const open = new Set<ServerResponse>();
      let calls = 0;
      let resumed = 0;
      const answers = oldServer((response, id) => {
        calls++;
        open.add(response);
        response.on('close', () => open.delete(response));
        openStreams[how]?.(response, id);
      }, revision);
      const origin = await listen((request, response, body) => {
        if (request.headers['last-event-id'] !== undefined) resumed++;
        answers(request, response, body);
      });
      const { mcp } = await world({ a: { url: `${origin}/mcp` } });
      await mcp.ready(idOf(mcp, 'a'));
      const made = [1, 2, 3].map(() => call(mcp, 'a', 'x', {}, { timeoutMs: 400 }).catch(({ code }) => code));
      for (const outcome of await Promise.all(made)) {
        if (how.startsWith('answers')) expect(outcome).toMatchObject({ isError: false });
        else expect(outcome).toBe('tool.timed-out');
      }
      expect(calls).toBe(3);
      await expect.poll(() => open.size, { timeout: 5_000 }).toBe(0);
      expect(resumed).toBe(0);
      expect(mcp.find('a')?.state.kind).toBe('ready');
    },
  );

test('answers that nobody asked for, and a second answer to one question, are nobody’s', async () => {
  const { mcp } = await world({ a: ours('doubles') });
  const said = async (tool: string) => (await call(mcp, 'a', tool)).parts;
  expect(await said('strange')).toEqual([{ kind: 'text', text: 'strange' }]);
  expect(await said('twice')).toEqual([{ kind: 'text', text: 'twice' }]);
  expect(await said('plain')).toEqual([{ kind: 'text', text: 'plain' }]);
  expect(mcp.find('a')?.state.kind).toBe('ready');
});

test('what a result points to is neither opened nor read', async () => {
  const opened: string[] = [];
  const { mcp } = await world(
    { a: ours('strange-results') },
    { openExternal: async (url) => void opened.push(url) },
  );
  const { parts } = await call(mcp, 'a', 'links');
  expect(parts.map((part) => part.kind === 'link' && part.uri)).toEqual([
    'file:///etc/passwd',
    'https://elsewhere.example/',
    'memo://a',
  ]);
  expect((await call(mcp, 'a', 'was-read')).parts).toEqual([{ kind: 'text', text: 'false' }]);
  expect(opened).toEqual([]);
});

test('a flood of progress, that goes back and forth, does not hold up the answer', async () => {
  const { mcp } = await world({ a: ours('doubles') });
  let heard = 0;
  const outcome = await call(mcp, 'a', 'flood', {}, { timeoutMs: 20_000, onProgress: () => heard++ });
  expect(outcome.parts).toEqual([{ kind: 'text', text: 'flood' }]);
  expect(heard).toBeGreaterThan(0);
});

test('what the app keeps for itself in the key store cannot be asked for by a configuration', async () => {
  const env = { A: `\${secret:provider:openai}`, B: `\${secret:mcp-sign-in:x}`, C: `\${secret:own}` };
  const { mcp } = await world(
    { a: { ...ours('environment'), env } },
    { secrets: { 'provider:openai': 'key-of-provider', 'mcp-sign-in:x': 'a-token', own: 'given' } },
  );
  const [part] = (await call(mcp, 'a', 'env')).parts;
  expect(part?.kind === 'text' && JSON.parse(part.text)).toMatchObject({ ...env, C: 'given' });
});
