import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export const hostileTools = [
  { name: 'say', inputSchema: { type: 'object' } },
  {
    name: 'promises',
    inputSchema: { type: 'object' },
    outputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
  },
];

export type How = 'json' | 'events' | 'sse';

/** A server over HTTP that says a line of its own choice wherever it is called; `alone`: that is all that it answers. */
export async function hostileHttp(
  lines: readonly string[],
  { how, era, alone = false }: { how: How; era: 'legacy' | 'modern'; alone?: boolean },
): Promise<string> {
  let stream: ServerResponse | null = null;
  const complete = (result: object) => (era === 'modern' ? { resultType: 'complete', ...result } : result);
  const answers: Record<string, (params: { protocolVersion?: string }) => object | undefined> = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'hostile', version: '1' },
    }),
    ...(era === 'modern' && {
      'server/discover': () =>
        complete({
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: {} },
          ttlMs: 60_000,
          cacheScope: 'private',
        }),
    }),
    'tools/list': () =>
      complete({
        tools: hostileTools,
        ...(era === 'modern' && { ttlMs: 60_000, cacheScope: 'private' }),
      }),
    ping: () => ({}),
  };

  const server = createServer((request, response) => {
    if (request.method === 'GET' && how === 'sse') {
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
      stream.write('event: endpoint\ndata: /messages\n\n');
      return;
    }
    if (request.method !== 'POST') return void response.writeHead(405).end();
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { id, method, params } = JSON.parse(body);
      if (how === 'sse' && request.url !== '/messages') return void response.writeHead(404).end();
      if (id === undefined || method === undefined) return void response.writeHead(202).end();
      const result =
        method === 'tools/call'
          ? complete({ content: [{ type: 'text', text: 'fine' }] })
          : answers[method]?.(params ?? {});
      const answer = result
        ? { jsonrpc: '2.0', id, result }
        : { jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } };
      const line = method === 'tools/call' ? lines[params.arguments.n] : undefined;
      const hostile = line === undefined ? [] : [line.replaceAll('$ID', String(id))];
      const isAlone = alone && hostile.length > 0;
      const events = [...hostile, ...(isAlone ? [] : [JSON.stringify(answer)])]
        .map((text) => `data: ${text}\n\n`)
        .join('');
      if (how === 'sse') {
        response.writeHead(202).end();
        stream?.write(Buffer.from(events, 'latin1'));
      } else if (how === 'events') {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(Buffer.from(events, 'latin1'));
        if (!isAlone) response.end();
      } else
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(Buffer.from(hostile[0] ?? JSON.stringify(answer), 'latin1'));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}
