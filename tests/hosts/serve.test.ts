import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createBridgeClient, type Wire } from '../../src/bridge';
import { operations } from '../../src/contract/operations';
import { createLog } from '../../src/core/foundation';
import { createHandlers } from '../../src/core/handlers';
import { vaultImage } from '../../src/core/hosting';
import { createAccess, createImageAddresses } from '../../src/node/access';
import { createStaticPage } from '../../src/node/http';
import { serve } from '../../src/node/serve';
import { createBrowser } from '../support/browser';
import { createAppDouble } from './app-double';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function served({
  data = mkdtempSync(join(tmpdir(), 'data-')),
  port,
}: {
  data?: string;
  port?: number;
} = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'page-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<title>Interlinear</title>');
  writeFileSync(join(folder, 'assets/a.js'), 'export {}');
  writeFileSync(join(folder, '..', 'outside.txt'), 'outside');
  const double = createAppDouble();
  const imageAddresses = createImageAddresses();
  const app = await double.createApp({ imageAddress: imageAddresses.addressOf } as never);
  const logged: unknown[] = [];
  const serving = await serve({
    handlers: createHandlers(app),
    page: createStaticPage(folder),
    picture: (path) => vaultImage(app.vault, path),
    imageAddresses,
    views: app.views,
    dataFolder: data,
    whenMadeAnew: app.dataFolder.whenMadeAnew,
    ...(port !== undefined && { port }),
    log: createLog((record) => logged.push(record)),
  });
  let open = true;
  const close = async () => {
    if (open) await serving.close();
    open = false;
  };
  closers.push(close);

  /**
   * Raw, so that Host and Origin can be anything and paths are sent as they are. Each on a connection of its own: one that was
   * kept may just have been hung up on.
   */
  async function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
    const sent = request({
      host: '127.0.0.1',
      port: serving.port,
      path,
      method,
      headers: { host: `127.0.0.1:${serving.port}`, ...headers },
      agent: false,
    });
    sent.end();
    const [response] = await once(sent, 'response');
    return { status: response.statusCode as number, headers: response.headers, body: await text(response) };
  }
  return { ...serving, ...double, data, logged, close, get };
}

/** What the core says to somebody who came in, or `refused`. */
async function recentVaults(wire: Wire | 'refused') {
  if (wire === 'refused') return 'refused';
  const recent = await createBridgeClient(wire, operations).call('vault.recent', {});
  wire.close();
  return recent;
}

/** Every name and every byte of a folder. */
function contentsOf(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return entry.isFile() ? `${path}\n${readFileSync(path, 'utf8')}` : path;
    })
    .join('\n');
}

test('an invitation lets one browser in, once; that one comes again without, and no cookie is set', async () => {
  const { invite, address, get, port, data, logged } = await served();
  const invitation = invite();
  const [first, second] = [await createBrowser(), await createBrowser()];
  expect(await recentVaults(await first.enter(invitation))).toEqual([]);
  expect(await recentVaults(await second.enter(invitation))).toBe('refused');
  expect(await recentVaults(await second.enter(address))).toBe('refused');
  expect(await recentVaults(await first.enter(address))).toEqual([]);

  const page = await get('/');
  expect(page).toMatchObject({ status: 200, body: '<title>Interlinear</title>' });
  expect(page.headers['set-cookie']).toBeUndefined();
  expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
  const code = new URL(invitation).hash.split('=')[1] ?? '';
  expect(address).toBe(`http://127.0.0.1:${port}/`);
  expect(JSON.stringify(logged)).not.toContain(code);
  expect(contentsOf(data)).not.toContain(code);
});

test('an invitation that nobody used is no good after its minute', async () => {
  let now = 1_000_000;
  const access = createAccess(mkdtempSync(join(tmpdir(), 'data-')), () => now);
  const isLetIn = async (invitation: string) => {
    const place = { nonce: 'nonce', origin: 'http://127.0.0.1:1', port: 1, browser: '' };
    const entry = await (await createBrowser()).answer(place.nonce, place.origin, invitation);
    return access.enter({ ...entry, ...place }) !== null;
  };
  const [early, late] = [access.invite(), access.invite()];
  now += 59_000;
  expect(await isLetIn(early)).toBe(true);
  now += 2_000;
  expect(await isLetIn(late)).toBe(false);
});

test.each<[string, (port: number) => Record<string, string>]>([
  ['under a name that was rebound to this machine', (port) => ({ host: `evil.example:${port}` })],
  ['from another origin', () => ({ origin: 'https://evil.example' })],
  ['from another port of this machine', () => ({ origin: 'http://127.0.0.1:1' })],
  [
    'from the same port under another name of this machine',
    (port) => ({ origin: `http://localhost:${port}` }),
  ],
  [
    'as an embedded part of another site',
    () => ({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }),
  ],
  [
    'as an embedded part of another port',
    () => ({ 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' }),
  ],
])('nobody is served %s, neither page nor picture nor socket', async (_how, headersFor) => {
  const { get, invite, port, texts, host } = await served().then((all) => ({
    ...all,
    host: `127.0.0.1:${all.port}`,
  }));
  texts.set('a.png', 'png');
  const headers = headersFor(port);
  for (const path of ['/', '/assets/a.js', '/files/a.png'])
    expect(await get(path, headers), path).toMatchObject({ status: 403 });
  const socket = new WebSocket(`ws://${host}/bridge`, { headers: { origin: `http://${host}`, ...headers } });
  const [, response] = await once(socket, 'unexpected-response');
  expect(response.statusCode).toBe(403);
  // The invitation was not used up by it.
  expect(await recentVaults(await (await createBrowser()).enter(invite()))).toEqual([]);
});

test('what another page had signed for itself, and what was signed before, is no entry', async () => {
  const { invite, address, port } = await served();
  const origin = `http://127.0.0.1:${port}`;
  const browser = await createBrowser();
  expect(await recentVaults(await browser.enter(invite()))).toEqual([]);
  const said = async (answer: (nonce: string) => Promise<object> | object) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/bridge`, { headers: { origin } });
    const [challenge] = await once(socket, 'message');
    const { nonce } = JSON.parse(String(challenge)) as { nonce: string };
    socket.send(JSON.stringify(await answer(nonce)));
    const verdict = await Promise.race([
      once(socket, 'message').then(([data]) => String(data)),
      once(socket, 'close').then(() => 'closed'),
    ]);
    socket.terminate();
    return verdict;
  };
  const replayed = await browser.answer('an older nonce', origin, null);
  expect(await said((nonce) => browser.answer(nonce, origin, null))).toBe('{"t":"entered"}');
  expect(await said((nonce) => browser.answer(nonce, 'http://127.0.0.1:1', null))).toBe('{"t":"refused"}');
  expect(await said(() => replayed)).toBe('{"t":"refused"}');
  expect(
    await said((nonce) => browser.answer(nonce, origin, null).then((entry) => ({ ...entry, signature: '' }))),
  ).toBe('{"t":"refused"}');
  expect(await said(() => ({ t: 'call', id: 1, op: 'vault.recent', input: {} }))).toBe('closed');
  expect(await said(() => ({ key: 'x'.repeat(5000), signature: '', invitation: null }))).toBe('closed');
  expect(await recentVaults(await browser.enter(address))).toEqual([]);
});

test('a browser comes in again after a restart: the port is kept, and nothing that is on the disk lets anybody in', async () => {
  const first = await served();
  const browser = await createBrowser();
  expect(await recentVaults(await browser.enter(first.invite()))).toEqual([]);
  await first.close();
  const second = await served({ data: first.data });
  expect(second.address).toBe(first.address);
  expect(await recentVaults(await browser.enter(second.address))).toEqual([]);
});

test('where another program has the port the app is at another, where browsers of the first are strangers', async () => {
  const first = await served();
  const browser = await createBrowser();
  expect(await recentVaults(await browser.enter(first.invite()))).toEqual([]);
  await first.close();
  const thief = createServer().listen(first.port, '127.0.0.1');
  await once(thief, 'listening');
  const second = await served({ data: first.data });
  expect(second.port).not.toBe(first.port);
  // Whoever has the port could have its pages sign; what they sign is for there.
  const passedOn = { origin: `http://127.0.0.1:${first.port}`, host: `127.0.0.1:${first.port}` };
  expect(await recentVaults(await browser.enter(second.address, passedOn))).toBe('refused');
  await second.close();
  thief.close();
  await once(thief, 'close');
  const third = await served({ data: first.data });
  expect(third.port).toBe(first.port);
  expect(await recentVaults(await browser.enter(third.address))).toEqual([]);
});

test('a page that came through a tunnel, so from another port, is invited for itself', async () => {
  const { invite, port, address } = await served();
  const browser = await createBrowser();
  expect(await recentVaults(await browser.enter(invite()))).toEqual([]);
  const tunnel = { host: '127.0.0.1:9000', origin: 'http://127.0.0.1:9000' };
  expect(await recentVaults(await browser.enter(address, tunnel))).toBe('refused');
  const other = await createBrowser();
  expect(await recentVaults(await other.enter(invite(), tunnel))).toEqual([]);
  expect(await recentVaults(await other.enter(address, tunnel))).toEqual([]);
  expect(await recentVaults(await other.enter(`http://127.0.0.1:${port}/`))).toBe('refused');
});

test('a session that is ended, by whatever process, is over at once and for good', async () => {
  const { invite, address, data } = await served();
  const [stays, goes] = [await createBrowser(), await createBrowser()];
  const wires = [await stays.enter(invite()), await goes.enter(invite())] as Wire[];
  const elsewhere = createAccess(data);
  const session = elsewhere
    .sessions()
    .toSorted((a, b) => a.madeAt - b.madeAt)
    .at(-1);
  const closed = new Promise<void>((resolve) => wires[1]?.onClose(resolve));
  expect(elsewhere.end(session?.id ?? '')).toBe(true);
  await closed;
  expect(await goes.enter(address)).toBe('refused');
  expect(await recentVaults(wires[0] ?? 'refused')).toEqual([]);
  expect(elsewhere.end('../../x')).toBe(false);
});

test('what is kept of browsers is for nobody else to read', async () => {
  const { invite, data } = await served();
  await recentVaults(await (await createBrowser()).enter(invite()));
  invite();
  const entries = readdirSync(join(data, 'browsers'), { recursive: true, withFileTypes: true });
  expect(entries.filter((entry) => entry.isFile()).length).toBeGreaterThan(2);
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    expect(statSync(path).mode & 0o077, path).toBe(0);
  }
});

test('a view is served under a name of its own, as a frame of the page only', async () => {
  const { get, port, views } = await served();
  const origin = `v${'0'.repeat(32)}`;
  views.page = (of, id, framedBy) =>
    of === origin && id === 'secret'
      ? { bytes: new TextEncoder().encode('view'), headers: { 'content-security-policy': framedBy } }
      : null;
  const host = `${origin}.localhost:${port}`;
  const frame = { host, 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' };
  const view = await get('/secret', frame);
  expect(view).toMatchObject({ status: 200, body: 'view' });
  expect(view.headers['content-security-policy']).toBe(`http://127.0.0.1:${port} http://localhost:${port}`);
  expect((await get('/')).headers['content-security-policy']).toContain(
    `frame-src http://*.localhost:${port};`,
  );
  // Through a tunnel page and view have its port.
  const tunneled = await get('/secret', { ...frame, host: `${origin}.localhost:9000` });
  expect(tunneled.headers['content-security-policy']).toBe('http://127.0.0.1:9000 http://localhost:9000');
  const refused: [string, Record<string, string>, string?][] = [
    ['/guess', frame],
    ['/secret', { ...frame, 'sec-fetch-dest': 'document' }],
    ['/secret', { ...frame, 'sec-fetch-dest': 'script' }],
    ['/secret', { ...frame, 'sec-fetch-dest': 'empty' }],
    ['/secret', frame, 'POST'],
    ['/secret', { ...frame, host: `v${'1'.repeat(32)}.localhost:${port}` }],
    ['/', { host }],
    ['/assets/a.js', { host }],
  ];
  for (const [path, headers, method] of refused)
    expect((await get(path, headers, method)).status, JSON.stringify([path, headers, method])).toBe(404);
  // Under the page's own name there is no view.
  expect((await get('/secret')).status).toBe(404);
  for (const other of [`evil.localhost:${port}`, `${origin}.localhost.evil.example:${port}`])
    expect((await get('/secret', { ...frame, host: other })).status, other).toBe(403);
  const socket = new WebSocket(`ws://127.0.0.1:${port}/bridge`, {
    headers: { host, origin: `http://${host}` },
  });
  const [, response] = await once(socket, 'unexpected-response');
  expect(response.statusCode).toBe(403);
});

test('a socket that asks for nonsense is hung up on, and others go on', async () => {
  const { get, port } = await served();
  const socket = connect(port, '127.0.0.1');
  const host = `127.0.0.1:${port}`;
  socket.write(
    `GET http://[ HTTP/1.1\r\nhost: ${host}\r\norigin: http://${host}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`,
  );
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 403/);
  expect((await get('/')).status).toBe(200);
});

test('a socket without an origin is no browser of ours', async () => {
  const { port } = await served();
  const socket = new WebSocket(`ws://127.0.0.1:${port}/bridge`);
  const [, response] = await once(socket, 'unexpected-response');
  expect(response.statusCode).toBe(403);
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
  const { get } = await served();
  expect((await get(path)).status).toBe(404);
});

/** Where the core says that a picture is. */
async function imageAddress({ invite }: Awaited<ReturnType<typeof served>>, path: string): Promise<string> {
  const wire = await (await createBrowser()).enter(invite());
  if (wire === 'refused') return expect.unreachable();
  const address = await createBridgeClient(wire, operations).call('vault.imageAddress', {
    target: path,
    from: 'Note.md',
  });
  wire.close();
  return address;
}

test('only pictures of the vault are served, and an SVG can do nothing', async () => {
  const app = await served();
  app.texts.set('a b.png', 'png').set('x.svg', '<svg/>').set('Note.md', '# secret').set('x.html', '<script>');
  expect(await app.get(await imageAddress(app, 'a b.png'))).toMatchObject({
    status: 200,
    body: 'png',
    headers: { 'content-type': 'image/png', 'x-content-type-options': 'nosniff' },
  });
  const svg = await app.get(await imageAddress(app, 'x.svg'));
  expect(svg.headers['content-security-policy']).toMatch(/^default-src 'none'.*sandbox$/);
  for (const path of ['Note.md', 'x.html', 'gone.png', 'png'])
    expect((await app.get(await imageAddress(app, path))).status, path).toBe(404);
});

test('a picture is served at an address that the core gave, for a while, and at no other', async () => {
  const app = await served();
  app.texts.set('a.png', 'png').set('b.png', 'png').set('ä/c d.png', 'png');
  const address = await imageAddress(app, 'a.png');
  expect((await app.get(address)).status).toBe(200);
  expect((await app.get(await imageAddress(app, 'ä/c d.png'))).status).toBe(200);
  const later = address.replace(/until=(\d+)/, (_all, until) => `until=${Number(until) + 1}`);
  for (const wrong of ['/files/a.png', address.replace('a.png', 'b.png'), later, address.slice(0, -1)])
    expect((await app.get(wrong)).status, wrong).toBe(404);

  let now = 0;
  const { addressOf, isOurs } = createImageAddresses(() => now);
  const url = new URL(addressOf('a.png'), 'http://host');
  expect(isOurs(url)).toBe(true);
  now = 11 * 60_000;
  expect(isOurs(url)).toBe(false);
});

test('only reading is answered', async () => {
  const { get } = await served();
  expect((await get('/', {}, 'POST')).status).toBe(405);
});
