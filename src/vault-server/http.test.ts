import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { caught, listenHttp } from './http';

/** All that comes back for these bytes until the connection ends, or nothing more comes for a moment. */
async function sent(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.on('error', () => undefined);
  socket.write(Buffer.from(bytes, 'latin1'));
  socket.setTimeout(150, () => socket.destroy());
  await once(socket, 'close');
  return answer;
}

test('a request whose answer throws, at once or later, costs itself: it is told, and the next one is answered', async () => {
  const reports: unknown[] = [];
  const server = createServer(
    caught(
      async (request, response) => {
        if (request.url === '/at-once') throw new Error('at once');
        if (request.url === '/header') return void response.writeHead(200, { a: 'b\nc' }).end();
        if (request.url === '/well') return void response.end('well');
        response.writeHead(200).write('begun');
        await new Promise((resolve) => setImmediate(resolve));
        throw new Error('later');
      },
      (error) => reports.push(error),
    ),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const ask = (path: string) =>
    sent(port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  expect(await ask('/at-once')).toContain('500');
  expect(await ask('/header')).toContain('500');
  expect(await ask('/later')).toContain('begun');
  expect(reports).toHaveLength(3);
  expect(await ask('/well')).toContain('well');
});

const hosts = [
  'localhost',
  '[',
  '[::1',
  '',
  'localhost:99999',
  '\u00ff',
  'a@localhost',
  '127.0.0.1:0/..',
  '%',
];
const paths = ['/mcp', '*', '//', 'http://[', '/mcp?%', '/%E0%A4%A', 'mcp', `/${'a'.repeat(9_000)}`, '\\\\a'];
const methods = ['GET', 'POST', 'DELETE', 'OPTIONS', 'CONNECT', 'TRACE', 'PROPFIND', 'get'];
const more = [
  '',
  'Origin: null',
  'Content-Type: application/json',
  'Content-Length: -1',
  'Content-Length: 5\r\nContent-Length: 6',
  'Transfer-Encoding: chunked\r\nContent-Length: 3',
  'Expect: 100-continue',
  'Expect: something',
  'Upgrade: websocket\r\nConnection: Upgrade',
  'Mcp-Session-Id: \u00ff\u0001',
  'Last-Event-ID: -1',
  'Mcp-Protocol-Version: constructor',
];
const bodies = [
  '',
  '{}',
  '[]',
  'null',
  '{',
  '"a"',
  '[[[[',
  '0\r\n\r\n',
  'zz\r\n',
  '{"jsonrpc":"2.0","id":{},"method":1}',
];

test('no request ends the program, whatever is sent: a well-formed one is answered after each', async () => {
  const token = 'the-token';
  const { url, close } = await listenHttp(
    { host: '127.0.0.1', port: 0, token },
    () => {
      throw new Error('no server can be made');
    },
    () => undefined,
  );
  onTestFinished(close);
  const port = Number(new URL(url).port);
  const uncaught: unknown[] = [];
  const note = (error: unknown) => uncaught.push(error);
  process.on('uncaughtExceptionMonitor', note);
  onTestFinished(() => void process.off('uncaughtExceptionMonitor', note));
  let seed = 1;
  const one = <T>(from: readonly T[]): T => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return from[(seed >>> 8) % from.length] as T;
  };
  const requests = Array.from(
    { length: 400 },
    () =>
      `${one(methods)} ${one(paths)} HTTP/1.1\r\nHost: ${one(hosts)}\r\nAuthorization: Bearer ${one([token, ''])}\r\n` +
      `${one(more)}\r\n${one(['Connection: close\r\n', ''])}\r\n${one(bodies)}`,
  );
  for (let from = 0; from < requests.length; from += 40) {
    await Promise.all(requests.slice(from, from + 40).map((bytes) => sent(port, bytes)));
    const { status } = await fetch(url, { method: 'POST', body: '{}' });
    expect(status).toBe(401);
  }
  expect(uncaught).toEqual([]);
});
