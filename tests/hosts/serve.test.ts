import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createBridgeClient, openWebSocket } from '../../src/bridge';
import { operations } from '../../src/contract/operations';
import { createLog } from '../../src/core/foundation';
import { createHandlers } from '../../src/core/handlers';
import { vaultPicture } from '../../src/core/hosting';
import { createStaticPage } from '../../src/node/http';
import { serve } from '../../src/node/serve';
import { createAppDouble } from './app-double';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function served() {
  const folder = mkdtempSync(join(tmpdir(), 'page-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<title>Interlinear</title>');
  writeFileSync(join(folder, 'assets/a.js'), 'export {}');
  writeFileSync(join(folder, '..', 'outside.txt'), 'outside');
  const double = createAppDouble();
  const app = await double.createApp({} as never);
  const serving = await serve({
    handlers: createHandlers(app),
    page: createStaticPage(folder),
    picture: (path) => vaultPicture(app.vault, path),
    views: app.views,
    log: createLog(() => undefined),
  });
  closers.push(serving.close);
  const { port } = serving;

  /** Raw, so that Host and Origin can be anything and paths are sent as they are. */
  async function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
    const sent = request({
      host: '127.0.0.1',
      port,
      path,
      method,
      headers: { host: `127.0.0.1:${port}`, ...headers },
    });
    sent.end();
    const [response] = await once(sent, 'response');
    return { status: response.statusCode as number, headers: response.headers, body: await text(response) };
  }
  async function comeIn(): Promise<string> {
    const { pathname, search } = new URL(serving.invite());
    const { headers } = await get(pathname + search);
    return String(headers['set-cookie']).split(';', 1).join();
  }
  return { ...serving, ...double, get, comeIn };
}

test('an invitation lets one browser in, once, and the cookie is hidden from scripts and other sites', async () => {
  const { get, invite } = await served();
  const { pathname, search } = new URL(invite());
  const first = await get(pathname + search);
  expect(first).toMatchObject({ status: 303, headers: { location: '/' } });
  const cookie = String(first.headers['set-cookie']);
  expect(cookie).toMatch(/; HttpOnly; SameSite=Strict; Path=\/$/);
  expect(await get(pathname + search)).toMatchObject({ status: 403 });
  const page = await get('/', { cookie: cookie.split(';', 1).join() });
  expect(page).toMatchObject({ status: 200, body: '<title>Interlinear</title>' });
  expect(page.headers['content-security-policy']).toContain("script-src 'self'");
});

test.each<[string, (port: number) => Record<string, string>]>([
  ['without a cookie', () => ({ cookie: '' })],
  ['with a wrong cookie', (port) => ({ cookie: `interlinear-${port}=guess` })],
  ['under a name that was rebound to this machine', (port) => ({ host: `evil.example:${port}` })],
  ['from another origin', () => ({ origin: 'https://evil.example' })],
  ['from another port of this machine', () => ({ origin: 'http://127.0.0.1:1' })],
  [
    'as an embedded part of another site',
    () => ({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }),
  ],
  [
    'as an embedded part of another port',
    () => ({ 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' }),
  ],
])('nobody is served %s, neither page nor picture nor socket', async (_how, headersFor) => {
  const { get, comeIn, port, texts } = await served();
  texts.set('a.png', 'png');
  const headers = { cookie: await comeIn(), ...headersFor(port) };
  for (const path of ['/', '/assets/a.js', '/files/a.png']) {
    expect(await get(path, headers)).toMatchObject({ status: 403 });
  }
  const socket = new WebSocket(`ws://127.0.0.1:${port}/bridge`, {
    headers: { origin: `http://127.0.0.1:${port}`, ...headers },
  });
  const [, response] = await once(socket, 'unexpected-response');
  expect(response.statusCode).toBe(403);
});

test('a view is served under a name of its own, as a frame of the page only, and no cookie goes there', async () => {
  const { get, comeIn, port, views } = await served();
  const origin = `v${'0'.repeat(32)}`;
  views.page = (of, id, framedBy) =>
    of === origin && id === 'secret'
      ? { bytes: new TextEncoder().encode('view'), headers: { 'content-security-policy': framedBy } }
      : null;
  const host = `${origin}.localhost:${port}`;
  const frame = { host, 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' };
  const cookie = await comeIn();
  const view = await get('/secret', frame);
  expect(view).toMatchObject({ status: 200, body: 'view' });
  expect(view.headers['content-security-policy']).toBe(`http://127.0.0.1:${port} http://localhost:${port}`);
  expect(view.headers['set-cookie']).toBeUndefined();
  expect((await get('/', { cookie })).headers['content-security-policy']).toContain(
    `frame-src http://*.localhost:${port};`,
  );
  const refused: [string, Record<string, string>, string?][] = [
    ['/guess', frame],
    ['/secret', { ...frame, 'sec-fetch-dest': 'document' }],
    ['/secret', { ...frame, 'sec-fetch-dest': 'script' }],
    ['/secret', { ...frame, 'sec-fetch-dest': 'empty' }],
    ['/secret', frame, 'POST'],
    ['/secret', { ...frame, host: `v${'1'.repeat(32)}.localhost:${port}` }],
    ['/', { host, cookie }],
    ['/assets/a.js', { host, cookie }],
  ];
  for (const [path, headers, method] of refused)
    expect((await get(path, headers, method)).status, JSON.stringify([path, headers, method])).toBe(404);
  // Under the page's own name there is no view, with or without the cookie.
  expect((await get('/secret', { cookie })).status).toBe(404);
  for (const other of [
    `evil.localhost:${port}`,
    `${origin}.localhost.evil.example:${port}`,
    `${origin}.localhost:1`,
  ])
    expect((await get('/secret', { ...frame, host: other, cookie })).status, other).toBe(403);
  const socket = new WebSocket(`ws://127.0.0.1:${port}/bridge`, {
    headers: { host, origin: `http://${host}`, cookie },
  });
  const [, response] = await once(socket, 'unexpected-response');
  expect(response.statusCode).toBe(403);
});

test('a socket that asks for nonsense is hung up on, and others go on', async () => {
  const { get, comeIn, port } = await served();
  const socket = connect(port, '127.0.0.1');
  const host = `127.0.0.1:${port}`;
  socket.write(
    `GET http://[ HTTP/1.1\r\nhost: ${host}\r\norigin: http://${host}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`,
  );
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 403/);
  expect((await get('/', { cookie: await comeIn() })).status).toBe(200);
});

test('a socket without an origin is no browser of ours', async () => {
  const { comeIn, port } = await served();
  const socket = new WebSocket(`ws://127.0.0.1:${port}/bridge`, { headers: { cookie: await comeIn() } });
  const [, response] = await once(socket, 'unexpected-response');
  expect(response.statusCode).toBe(403);
});

test('a socket with the cookie speaks the bridge', async () => {
  const { comeIn, port } = await served();
  const headers = { cookie: await comeIn(), origin: `http://127.0.0.1:${port}` };
  const wire = await openWebSocket(new WebSocket(`ws://127.0.0.1:${port}/bridge`, { headers }));
  const client = createBridgeClient(wire, operations);
  expect(await client.call('vault.recent', {})).toEqual([]);
  wire.close();
});

test.each([
  '/../outside.txt',
  '/..%2foutside.txt',
  '/%2e%2e/outside.txt',
  '/assets/../../outside.txt',
  '/assets\\..\\..\\outside.txt',
  '//etc/passwd',
  '/nothing.js',
  '//',
  'http://[',
])('%s leads nowhere', async (path) => {
  const { get, comeIn } = await served();
  expect((await get(path, { cookie: await comeIn() })).status).toBe(404);
});

test('only pictures of the vault are served, and an SVG can do nothing', async () => {
  const { get, comeIn, texts } = await served();
  texts.set('a b.png', 'png').set('x.svg', '<svg/>').set('Note.md', '# secret').set('x.html', '<script>');
  const cookie = await comeIn();
  expect(await get('/files/a%20b.png', { cookie })).toMatchObject({
    status: 200,
    body: 'png',
    headers: { 'content-type': 'image/png', 'x-content-type-options': 'nosniff' },
  });
  const svg = await get('/files/x.svg', { cookie });
  expect(svg.headers['content-security-policy']).toMatch(/^default-src 'none'.*sandbox$/);
  for (const path of ['Note.md', 'x.html', 'gone.png', '%ff.png', 'png'])
    expect((await get(`/files/${path}`, { cookie })).status).toBe(404);
});

test('only reading is answered', async () => {
  const { get, comeIn } = await served();
  expect((await get('/', { cookie: await comeIn() }, 'POST')).status).toBe(405);
});
