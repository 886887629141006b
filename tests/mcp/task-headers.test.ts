import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { call, world } from './setup';

const complete = (result: object) => ({
  resultType: 'complete',
  ttlMs: 60_000,
  cacheScope: 'private',
  ...result,
});

/** A server over HTTP that makes a task of each call; it is done when it is asked for the second time. */
async function serve() {
  const seen: { method: string; name: string | undefined; route: string | undefined }[] = [];
  let looks = 0;
  const task = (status: string, more: object = {}) => ({
    taskId: 'täsk 1',
    status,
    createdAt: new Date().toISOString(),
    lastUpdatedAt: new Date().toISOString(),
    ttlMs: 60_000,
    pollIntervalMs: 100,
    ...more,
  });
  const answers: Record<string, () => object> = {
    'server/discover': () =>
      complete({
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } },
        serverInfo: { name: 'far', version: '1' },
      }),
    'tools/list': () => complete({ tools: [{ name: 'dig', inputSchema: { type: 'object' } }] }),
    'tools/call': () => ({ resultType: 'task', ...task('working') }),
    'tasks/get': () =>
      complete(
        ++looks < 2
          ? task('working')
          : task('completed', { result: { content: [{ type: 'text', text: 'dug' }] } }),
      ),
  };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const { id, method } = JSON.parse(body || '{}') as { id?: number; method?: string };
    const answer = answers[method ?? ''];
    seen.push({
      method: method ?? '',
      name: request.headers['mcp-name']?.toString(),
      route: request.headers['mcp-method']?.toString(),
    });
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
    const unknown = { error: { code: -32601, message: 'Method not found' } };
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...(answer ? { result: answer() } : unknown) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, seen };
}

test('over HTTP each question about a task names it in a header, so that it finds the computer that has it', async () => {
  const { url, seen } = await serve();
  const { mcp } = await world({ far: { url } });
  expect((await call(mcp, 'far', 'dig')).parts).toEqual([{ kind: 'text', text: 'dug' }]);
  const looks = seen.filter(({ method }) => method === 'tasks/get');
  const name = `=?base64?${Buffer.from('täsk 1').toString('base64')}?=`;
  expect(looks).toEqual([
    { method: 'tasks/get', name, route: 'tasks/get' },
    { method: 'tasks/get', name, route: 'tasks/get' },
  ]);
});
