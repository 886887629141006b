import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { Mcp } from '../../src/core/mcp';
import { call, idOf, world } from './setup';

interface Forgetful {
  readonly url: string;
  /** Whatever session there is, the server knows it no more. */
  forget(): void;
  sessions(): number;
  times(method: string): number;
}

const offers: Record<string, unknown> = {
  'tools/list': { tools: [{ name: 'x', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'called' }] },
  'resources/list': { resources: [{ uri: 'memo://a', name: 'a' }] },
  'resources/templates/list': { resourceTemplates: [] },
  'resources/read': { contents: [{ uri: 'memo://a', text: 'A memo.' }] },
  'prompts/list': { prompts: [{ name: 'greet' }] },
  'prompts/get': { messages: [{ role: 'user', content: { type: 'text', text: 'Hello.' } }] },
  'completion/complete': { completion: { values: ['one'] } },
  ping: {},
};

/** A server of the older era that refuses what comes in a session that it does not know with this status and these words. */
async function forgetful(status: number, words: string, refused: readonly string[] = []): Promise<Forgetful> {
  let session = 0;
  const seen: string[] = [];
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    let body = '';
    for await (const chunk of request) body += chunk;
    const { id, method, params } = JSON.parse(body);
    const answer = (result: unknown) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    if (method === 'initialize') {
      response.setHeader('mcp-session-id', `session-${++session}`);
      const capabilities = { tools: {}, resources: {}, prompts: {}, completions: {} };
      const { protocolVersion } = params;
      return void answer({ protocolVersion, capabilities, serverInfo: { name: 's', version: '1' } });
    }
    if (request.headers['mcp-session-id'] !== `session-${session}`)
      return void response.writeHead(status).end(words);
    if (id === undefined) return void response.writeHead(202).end();
    seen.push(method);
    if (refused.includes(method) || !(method in offers))
      return void response.writeHead(400).end('Bad Request');
    answer(offers[method]);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    forget: () => void session++,
    sessions: () => session,
    times: (method) => seen.filter((one) => one === method).length,
  };
}

const signal = new AbortController().signal;
const requests: Record<string, (mcp: Mcp, id: string) => Promise<unknown>> = {
  'tools/call': (mcp) => call(mcp, 'x', 'x'),
  'resources/list': (mcp, id) => mcp.resources(id),
  'resources/read': (mcp, id) => mcp.readResource(id, 'memo://a', signal),
  'prompts/list': (mcp, id) => mcp.prompts(id),
  'prompts/get': (mcp, id) => mcp.getPrompt(id, 'greet', {}, signal),
  'completion/complete': (mcp, id) =>
    mcp.complete(
      id,
      { of: { kind: 'prompt', name: 'greet' }, argument: 'a', value: 'o', others: {} },
      signal,
    ),
};

test.each([
  [404, 'Not Found'],
  [400, 'Bad Request: No valid session ID provided'],
  [400, 'Bad Request'],
  [400, ''],
])(
  'whatever is asked in a session that the server has forgotten is asked anew in a new one: HTTP %i %j',
  async (status, words) => {
    for (const [method, ask] of Object.entries(requests)) {
      const server = await forgetful(status, words);
      const { mcp, until } = await world({ x: { url: server.url } });
      await until('x', ({ state, resources }) => state.kind === 'ready' && resources !== null);
      const id = idOf(mcp, 'x');
      const before = await ask(mcp, id);
      server.forget();
      const [sessions, calls] = [server.sessions(), server.times('tools/call')];
      expect(await ask(mcp, id), method).toEqual(before);
      expect(server.sessions(), method).toBe(sessions + 1);
      // What the old session refused was never seen: it is made once.
      expect(server.times('tools/call') - calls, method).toBe(method === 'tools/call' ? 1 : 0);
      await mcp.close();
    }
  },
);

test('a request that a server refuses in a session that it knows costs no session', async () => {
  const server = await forgetful(404, 'Not Found', ['resources/read', 'tools/call']);
  const { mcp, until } = await world({ x: { url: server.url } });
  await until('x', ({ state }) => state.kind === 'ready');
  const id = idOf(mcp, 'x');
  await expect(mcp.readResource(id, 'memo://a', signal)).rejects.toMatchObject({ code: 'mcp.unreachable' });
  await expect(call(mcp, 'x', 'x')).rejects.toMatchObject({ code: 'mcp.unreachable' });
  expect([server.times('resources/read'), server.times('tools/call'), server.sessions()]).toEqual([1, 1, 1]);
  expect(mcp.find('x')?.state.kind).toBe('ready');
});
