import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type Resolve, setNetwork } from '../../network';
import { createGuardedFetch } from './guarded-fetch';

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function inner(): Promise<{ port: number; connections: () => number }> {
  let connections = 0;
  const server = createServer((_request, response) => response.end('inner'));
  server.on('connection', () => connections++);
  return { port: await listen(server), connections: () => connections };
}

/** A name whose addresses are others at each question; the last ones stay. */
function changing(...answers: string[][]): Resolve {
  let asked = 0;
  return async (hostname) => {
    if (hostname !== 'rebinds.example') return [{ address: '93.184.216.34', family: 4 }];
    const answer = answers[Math.min(asked++, answers.length - 1)] ?? [];
    return answer.map((address) => ({ address, family: 4 }));
  };
}

const onTheInternet = new URL('https://server.example/mcp');

for (const [what, answers] of Object.entries({
  'has another address when it is connected to': [['93.184.216.34'], ['127.0.0.1']],
  'has one more address when it is connected to': [['93.184.216.34'], ['93.184.216.34', '127.0.0.1']],
  'nobody knew when it was checked': [[], ['127.0.0.1']],
})) {
  test(`a name that ${what} leads a server of the internet nowhere`, async () => {
    const { port, connections } = await inner();
    const guarded = createGuardedFetch('s', onTheInternet, AbortSignal.timeout(10_000), {
      resolve: changing(...answers),
    });
    await expect(guarded(`https://rebinds.example:${port}/token`)).rejects.toMatchObject({
      code: 'mcp.sign-in-failed',
      message: expect.stringContaining('where the server is not'),
    });
    expect(connections()).toBe(0);
  });
}

test('a server of the internet whose own name comes to lead inside between two steps of a sign-in is not followed there', async () => {
  const { port, connections } = await inner();
  const server = new URL(`http://rebinds.example:${port}/mcp`);
  const [outside, inside] = [['93.184.216.34'], ['127.0.0.1']];
  const guarded = createGuardedFetch('s', server, AbortSignal.timeout(10_000), {
    resolve: changing(outside, inside),
  });
  for (const step of ['/.well-known/oauth-protected-resource', '/register', '/token'])
    await expect(guarded(new URL(step, server))).rejects.toMatchObject({
      code: 'mcp.sign-in-failed',
      message: expect.stringContaining('where the server is not'),
    });
  await expect(guarded(`http://127.0.0.1:${port}/token`)).rejects.toThrow('this computer');
  expect(connections()).toBe(0);
});

test('a server of this computer reaches a name of this computer by the address that was checked', async () => {
  const { port, connections } = await inner();
  const server = new URL('http://127.0.0.1:1/mcp');
  const guarded = createGuardedFetch('s', server, AbortSignal.timeout(10_000), {
    resolve: changing(['127.0.0.1']),
  });
  expect(await (await guarded(`http://rebinds.example:${port}/x`)).text()).toBe('inner');
  expect(connections()).toBe(1);
});

test('a server with an address of this computer among others leads no further than all of them', async () => {
  const { port, connections } = await inner();
  const server = new URL('https://rebinds.example/mcp');
  const guarded = createGuardedFetch('s', server, undefined, {
    resolve: changing(['127.0.0.1', '93.184.216.34']),
  });
  await expect(guarded(`http://127.0.0.1:${port}/x`)).rejects.toThrow('this computer');
  expect(connections()).toBe(0);
});

test('through a proxy the proxy finds the name: nothing is looked up for the connection', async () => {
  const asked: string[] = [];
  const proxy = createServer();
  proxy.on('connect', ({ url }, socket) => {
    asked.push(url ?? '');
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  const port = await listen(proxy);
  setNetwork({ environment: { HTTPS_PROXY: `http://127.0.0.1:${port}` }, caFile: () => '' });
  onTestFinished(() => setNetwork({ environment: {}, caFile: () => '' }));
  const guarded = createGuardedFetch('s', onTheInternet, AbortSignal.timeout(10_000), {
    resolve: changing([]),
  });
  await expect(guarded('https://rebinds.example/token')).rejects.toThrow();
  expect(asked).toEqual(['rebinds.example:443']);
});

for (const [how, write] of Object.entries({
  'goes on and on': (response: ServerResponse) => {
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(64 * 1024)));
    };
    response.on('drain', more);
    more();
  },
  'trickles in': (response: ServerResponse) => {
    const timer = setInterval(() => response.write(':\n'), 20);
    response.on('close', () => clearInterval(timer));
  },
}))
  for (const type of ['text/event-stream', 'application/json'])
    test(`an answer to a sign-in that ${how} ends, as ${type} too`, async () => {
      const server = createServer((_request, response) => {
        response.writeHead(200, { 'content-type': type });
        write(response);
      });
      const port = await listen(server);
      onTestFinished(() => server.closeAllConnections());
      const address = new URL(`http://127.0.0.1:${port}/register`);
      const gone = new Promise<void>((resolve) => server.on('connection', (one) => one.on('close', resolve)));
      const guarded = createGuardedFetch('s', address, undefined, { timeoutMs: 1_000 });
      await expect(guarded(address)).rejects.toThrow(
        /^It (sent a message of more than 1 MiB|did not answer in time)\.$/,
      );
      await gone;
    });

test('an answer of more values than any has is refused before they are checked, a page in its place is handed on', async () => {
  const ones = `[${'1,'.repeat(490_000)}1]`;
  const bodies: Record<string, string> = {
    '/many': `\ufeff  {"redirect_uris":${ones}}`,
    '/names': JSON.stringify(Object.fromEntries([...Array(1_001).keys()].map((at) => [at, at]))),
    '/page': `<script>[${ones}]</script>`,
    '/usual': JSON.stringify({ scopes_supported: Array(1_000).fill('a') }),
  };
  const port = await listen(createServer(({ url = '' }, response) => response.end(bodies[url])));
  const base = `http://127.0.0.1:${port}`;
  const guarded = createGuardedFetch('s', new URL(base), AbortSignal.timeout(10_000));
  await expect(guarded(`${base}/many`)).rejects.toThrow('more than 5,000 values');
  await expect(guarded(`${base}/names`)).rejects.toThrow('more than 1,000 names');
  for (const path of ['/page', '/usual'])
    expect(await (await guarded(base + path)).text(), path).toBe(bodies[path]);
});
