import { EventEmitter, once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { createBridgeClient, messagePortWire, type PortLike } from '../../src/bridge';
import { operations } from '../../src/contract/operations';
import { type ServerAction, serverStandings } from '../../src/contract/server-state';
import { createLog } from '../../src/core/foundation';
import { createHandlers } from '../../src/core/handlers';
import { connectPage } from '../../src/main/bridge';
import { createElectronHost, type ElectronParts } from '../../src/main/host';
import { linkIn, openAddresses } from '../../src/main/links';
import { createNotifications } from '../../src/main/notifications';
import { handleScheme } from '../../src/main/scheme';
import { createTray, trayTemplate } from '../../src/main/tray';
import { createWindow, denyPermissions } from '../../src/main/window';
import { ours, world } from '../mcp/setup';
import { createMemorySecrets } from '../support/in-memory';
import { createAppDouble } from './app-double';

const log = createLog(() => undefined);
const folder = () => mkdtempSync(join(tmpdir(), 'electron-'));
/** Electron's types ask for far more than the calls under test make. */
const as = <T>(double: unknown) => double as T;

class WindowDouble extends EventEmitter {
  webContents = Object.assign(new EventEmitter(), {
    mainFrame: {},
    rtc: '',
    setWebRTCIPHandlingPolicy(policy: string) {
      this.rtc = policy;
    },
    openHandler: undefined as undefined | ((details: object) => object),
    setWindowOpenHandler(handler: (details: object) => object) {
      this.openHandler = handler;
    },
  });
  maximized = false;
  constructor(readonly options: Electron.BrowserWindowConstructorOptions) {
    super();
  }
  show() {}
  maximize() {
    this.maximized = true;
  }
  isMaximized = () => this.maximized;
  getNormalBounds = () => ({ x: 10, y: 20, width: 900, height: 700 });
}

function openWindow(
  statePath = join(folder(), 'window.json'),
  displays = [{ x: 0, y: 0, width: 1920, height: 1080 }],
) {
  return as<WindowDouble>(
    createWindow({
      BrowserWindow: as(WindowDouble),
      screen: as({ getAllDisplays: () => displays.map((workArea) => ({ workArea })) }),
      statePath,
      preloadPath: '/preload.cjs',
      iconPath: '/icon.png',
      isInstalled: true,
    }),
  );
}

test('a page is sandboxed, opens no window and goes nowhere else', () => {
  const window = openWindow();
  expect(window.options.webPreferences).toMatchObject({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webviewTag: false,
  });
  expect(window.webContents.openHandler?.({ url: 'https://example.org' })).toEqual({ action: 'deny' });
  const goes = (url: string) => {
    let prevented = false;
    window.webContents.emit('will-navigate', { url, preventDefault: () => (prevented = true) });
    return !prevented;
  };
  expect(goes('app://interlinear/#note=a')).toBe(true);
  for (const url of [
    'https://example.org',
    'file:///etc/passwd',
    'app://interlinear.evil/',
    'app://other/',
    'javascript:1',
  ])
    expect(goes(url), url).toBe(false);
});

test('a window opens where it was, unless no display is there any more', () => {
  const path = join(folder(), 'window.json');
  const first = openWindow(path);
  first.maximize();
  first.emit('close');
  const again = openWindow(path);
  expect(again.options).toMatchObject({ x: 10, y: 20, width: 900, height: 700 });
  expect(again.maximized).toBe(true);
  expect(openWindow(path, [{ x: 5000, y: 0, width: 800, height: 600 }]).options.x).toBeUndefined();
  writeFileSync(path, '{"bounds":{"x":"left"}}');
  expect(openWindow(path).options).toMatchObject({ width: 1280, height: 800 });
});

test('links of the system are handed on as text, however they come, and nothing else among the words is', () => {
  const app = Object.assign(new EventEmitter(), { setAsDefaultProtocolClient: () => true });
  const seen: string[] = [];
  const open = (words: string[]) =>
    openAddresses({
      app: as(app),
      isInstalled: true,
      words,
      workingFolder: '/',
      onNote: () => seen.push('note'),
      onLink: (link) => seen.push(link),
      onSecond: () => seen.push('again'),
    });
  open(['--flag', 'interlinear://note?path=A.md']);
  app.emit('second-instance', {}, ['app', '--no-sandbox', 'INTERLINEAR://server?config={}']);
  app.emit('second-instance', {}, ['app', '--renderer-cmd-prefix=evil', 'https://x.test']);
  app.emit('open-url', { preventDefault: () => seen.push('prevented') }, 'interlinear://server?config={}');
  app.emit('open-url', { preventDefault: () => undefined }, 'file:///etc/passwd');
  expect(seen).toEqual([
    'interlinear://note?path=A.md',
    'INTERLINEAR://server?config={}',
    'again',
    'prevented',
    'interlinear://server?config={}',
  ]);
  expect(
    linkIn(['/notes/interlinear://x', 'javascript:1', `interlinear://${'x'.repeat(70_000)}`]),
  ).toBeNull();
});

test('permissions are denied, but for copying text', () => {
  const asked: Record<string, boolean> = {};
  let check: ((contents: null, permission: string) => boolean) | undefined;
  denyPermissions(
    as({
      setPermissionRequestHandler: (
        handler: (c: null, permission: string, answer: (yes: boolean) => void) => void,
      ) => {
        for (const permission of [
          'media',
          'geolocation',
          'notifications',
          'openExternal',
          'clipboard-read',
          'clipboard-sanitized-write',
        ])
          handler(null, permission, (yes) => (asked[permission] = yes));
      },
      setPermissionCheckHandler: (handler: typeof check) => (check = handler),
      setDevicePermissionHandler: (handler: () => boolean) => expect(handler()).toBe(false),
    }),
  );
  expect(Object.entries(asked).filter(([, yes]) => yes)).toEqual([['clipboard-sanitized-write', true]]);
  expect(check?.(null, 'media')).toBe(false);
});

function page(url: string) {
  const posted: MessageChannel['port2'][] = [];
  const webContents = Object.assign(new EventEmitter(), {
    mainFrame: {
      url,
      postMessage: (_channel: string, _message: null, [port]: MessageChannel['port2'][]) =>
        posted.push(port!),
    },
  });
  return { webContents, posted };
}

function ChannelDouble() {
  const { port1, port2 } = new MessageChannel();
  // Electron's port is an emitter of events with `data`.
  const emitter = Object.assign(new EventEmitter(), {
    postMessage: (message: unknown) => port1.postMessage(message),
    close: () => port1.close(),
    start: () => port1.on('message', (data) => emitter.emit('message', { data })),
  });
  port1.on('close', () => emitter.emit('close'));
  return { port1: emitter, port2 };
}

test('each load of our page gets a port to the core, and the one before is closed', async () => {
  const { webContents, posted } = page('app://interlinear/index.html');
  const { createApp } = createAppDouble();
  const handlers = createHandlers(await createApp(as({})));
  connectPage({ webContents: as(webContents), MessageChannelMain: as(ChannelDouble), handlers, log });
  webContents.emit('did-finish-load');
  const port = posted[0]!;
  const client = createBridgeClient(
    messagePortWire(as<PortLike>(port), (listener) => port.on('close', listener)),
    operations,
  );
  expect(await client.call('vault.recent', {})).toEqual([]);
  const closed = once(port, 'close');
  webContents.emit('did-finish-load');
  await closed;
  expect(posted).toHaveLength(2);
  posted[1]!.close();
});

test('a page that is not ours gets no port', async () => {
  const { webContents, posted } = page('https://example.org/');
  connectPage({
    webContents: as(webContents),
    MessageChannelMain: as(MessageChannel),
    handlers: as({}),
    log,
  });
  webContents.emit('did-finish-load');
  expect(posted).toEqual([]);
});

test('a frame of the page holds views and nothing else, wherever it tries to go', () => {
  const { webContents } = openWindow();
  const goes = (url: string, parent: object) => {
    let prevented = false;
    const event = { url, isMainFrame: false, frame: { parent }, preventDefault: () => (prevented = true) };
    webContents.emit('will-frame-navigate', event);
    return !prevented;
  };
  expect(goes('server-view://v1/id', webContents.mainFrame)).toBe(true);
  for (const url of ['https://example.org/', 'app://interlinear/', 'data:text/html,x', 'file:///etc/passwd'])
    expect(goes(url, webContents.mainFrame), url).toBe(false);
  // What a view may frame is for its own policy to say.
  expect(goes('https://player.example.org/', {})).toBe(true);
  expect(webContents.rtc).toBe('disable_non_proxied_udp');
});

test('a view comes by a scheme of its own, with its own policy, and only for reading', async () => {
  const pageFolder = folder();
  writeFileSync(join(pageFolder, 'index.html'), 'page');
  const handlers = new Map<string, (request: Request) => Response | Promise<Response>>();
  handleScheme({
    protocol: as({
      handle: (scheme: string, handler: (request: Request) => Response) => handlers.set(scheme, handler),
    }),
    pageFolder,
    developmentServer: undefined,
    net: as({}),
    picture: async () => null,
    views: {
      page: (origin, id, framedBy) =>
        origin === 'v1' && id === 'id'
          ? { bytes: new TextEncoder().encode('view'), headers: { 'x-framed-by': framedBy } }
          : null,
    },
  });
  const get = (url: string, method = 'GET') =>
    handlers.get(new URL(url).protocol.slice(0, -1))?.(as<Request>({ url, method }));
  const view = await get('server-view://v1/id');
  expect(await view?.text()).toBe('view');
  expect(view?.headers.get('x-framed-by')).toBe('app:');
  expect((await get('app://interlinear/'))?.headers.get('content-security-policy')).toContain(
    'frame-src server-view:;',
  );
  expect((await get('server-view://v2/id'))?.status).toBe(404);
  expect((await get('server-view://v1/id', 'POST'))?.status).toBe(404);
  expect((await get('app://v1/id'))?.status).toBe(404);
});

test('the scheme serves the page with its policy and pictures of the vault, nothing else', async () => {
  const pageFolder = folder();
  mkdirSync(join(pageFolder, 'assets'));
  writeFileSync(join(pageFolder, 'index.html'), 'page');
  let handler: ((request: Request) => Promise<Response>) | undefined;
  handleScheme({
    protocol: as({
      handle: (scheme: string, added: typeof handler) => {
        if (scheme === 'app') handler = added;
      },
    }),
    pageFolder,
    developmentServer: undefined,
    net: as({}),
    picture: async (path) => (path === 'a.png' ? { bytes: new Uint8Array([1]), type: 'image/png' } : null),
    views: { page: () => null },
  });
  const get = (path: string) => handler!(as<Request>({ url: `app://${path}` }));
  const index = await get('interlinear/');
  expect(await index.text()).toBe('page');
  expect(index.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect((await get('interlinear/files/a.png')).headers.get('x-content-type-options')).toBe('nosniff');
  for (const path of [
    'other/',
    'interlinear/files/b.md',
    'interlinear/../../etc/passwd',
    'interlinear/%2e%2e/x',
  ])
    expect((await get(path)).status, path).toBe(404);
});

function electron(overrides: Partial<ElectronParts> = {}): ElectronParts & { opened: string[] } {
  const opened: string[] = [];
  return as({
    opened,
    app: { getPath: () => '/documents', getVersion: () => '1.0.0' },
    dialog: { showOpenDialog: async () => ({ canceled: true, filePaths: [] }) },
    shell: { openExternal: async (url: string) => void opened.push(url), trashItem: async () => undefined },
    safeStorage: {
      isAsyncEncryptionAvailable: async () => true,
      decryptStringAsync: async (bytes: Buffer) => ({ result: Buffer.from(bytes).reverse().toString() }),
    },
    Store: class {
      store = {};
    },
    ...overrides,
  });
}

const hostOf = (parts: ElectronParts, dataFolder = folder(), secrets = createMemorySecrets()) =>
  createElectronHost({
    electron: parts,
    appRoot: '/app',
    dataFolder,
    environment: {},
    log,
    window: () => undefined,
    keyring: async () => secrets,
  });

test('only web and mail addresses reach the system', async () => {
  const parts = electron();
  const host = await hostOf(parts);
  await host.openExternal('https://example.org/');
  await host.openExternal('mailto:a@example.org');
  for (const url of ['file:///etc/passwd', 'javascript:1', 'smb://x', 'ms-msdt:/x', 'nonsense'])
    await expect(async () => host.openExternal(url)).rejects.toMatchObject({ code: 'host.unsupported' });
  expect(parts.opened).toEqual(['https://example.org/', 'mailto:a@example.org']);
});

test('keys that an older version sealed by Chromium are in the common store, and stay where they are if they cannot be read', async () => {
  const seal = (name: string, value: string) =>
    Buffer.from(JSON.stringify([name, value]))
      .reverse()
      .toString('base64');
  const former = (dataFolder: string, sealed: Record<string, string>) =>
    writeFileSync(join(dataFolder, 'safe-storage.json'), JSON.stringify({ version: 1, sealed }));
  const secrets = createMemorySecrets();
  await secrets.set('b', 'newer');
  const dataFolder = folder();
  former(dataFolder, { a: seal('a', 'planted-secret'), b: seal('b', 'older') });
  const host = await hostOf(electron(), dataFolder, secrets);
  expect(await host.secrets.get('a')).toBe('planted-secret');
  expect(await host.secrets.get('b')).toBe('newer');
  expect(existsSync(join(dataFolder, 'safe-storage.json'))).toBe(false);

  const closed = { isAsyncEncryptionAvailable: async () => false };
  const later = folder();
  former(later, { a: seal('a', 'planted-secret') });
  await hostOf(electron({ safeStorage: as(closed) }), later, secrets);
  expect(existsSync(join(later, 'safe-storage.json'))).toBe(true);
});

test('the tray names every server with its state, and offers what can be done with it', () => {
  const done: string[] = [];
  const actions = as<Parameters<typeof trayTemplate>[1]>(
    new Proxy(
      {},
      {
        get:
          (_target, name) =>
          (...args: unknown[]) =>
            done.push([String(name), ...args].join(' ')),
      },
    ),
  );
  const server = (name: string, kind: string) => as<never>({ id: name, name, state: { kind } });
  const template = trayTemplate(
    {
      servers: [server('files', 'ready'), server('web', 'failed')],
      notes: Array.from({ length: 9 }, (_, n) => ({
        path: `N${n}.md`,
        kind: 'note' as const,
        size: 0,
        modified: n,
      })),
      paused: false,
    },
    actions,
  );
  const labels = template.map(({ label }) => label);
  expect(labels).toEqual(
    expect.arrayContaining(['MCP 1/2', 'files: ready', 'web: failed', 'Pause all tools', 'Quit']),
  );
  expect(labels.filter((label) => /^N\d$/.test(label ?? ''))).toEqual([
    'N8',
    'N7',
    'N6',
    'N5',
    'N4',
    'N3',
    'N2',
  ]);
  const sub = template.find(({ label }) => label === 'files: ready')
    ?.submenu as Electron.MenuItemConstructorOptions[];
  expect(sub.map(({ label }) => label)).toEqual(['Stop', 'Restart']);
  sub[0]?.click?.(as({}), undefined, as({}));
  const pause = template.find(({ label }) => label === 'Pause all tools');
  pause?.click?.(as({ checked: true }), undefined, as({}));
  expect(done).toEqual(['stop files', 'setPaused true']);
});

test('in the tray, too, a server offers what its state offers, and nothing else', () => {
  const done: string[] = [];
  const actions = as<Parameters<typeof trayTemplate>[1]>(
    new Proxy(
      {},
      {
        get:
          (_, name) =>
          (...args: unknown[]) =>
            done.push([String(name), ...args].join(' ')),
      },
    ),
  );
  const does: Record<ServerAction, string> = {
    'turn-on': 'setEnabled one true',
    'keep-off': 'setEnabled one false',
    start: 'start one',
    stop: 'stop one',
    restart: 'restart one',
    'sign-in': 'show',
  };
  for (const [condition, { actions: offered }] of Object.entries(serverStandings)) {
    const by = condition === 'off' ? 'user' : 'failures';
    const kind = condition === 'off' || condition === 'given-up' ? 'disabled' : condition;
    const server = as<never>({ id: 'one', name: 'one', state: { kind, by } });
    const template = trayTemplate({ servers: [server], notes: [], paused: true }, actions);
    const item = template.find(({ label }) => label?.startsWith('one: '));
    const entries = as<Electron.MenuItemConstructorOptions[]>(item?.submenu ?? []);
    for (const { click } of entries) click?.(as({}), undefined, as({}));
    expect(done.splice(0)).toEqual(offered.map((action) => does[action]));
    expect(template.map(({ label }) => label)).toContainEqual(expect.stringContaining('tools paused'));
  }
});

test('“Pause all tools” in the tray pauses them in the core, changes no configuration, and is shown until it is taken back', async () => {
  const { mcp, data, until } = await world({ vault: ours('vault') });
  await until('vault', ({ state }) => state.kind === 'ready');
  const file = readFileSync(join(data, 'mcp.json'), 'utf8');
  let [template, toolTip]: [Electron.MenuItemConstructorOptions[], string] = [[], ''];
  const state = { get: () => ({ kind: 'none' }), onChange: () => () => undefined };
  const removeTray = createTray({
    tray: as({
      setContextMenu: (menu: typeof template) => (template = menu),
      setToolTip: (text: string) => (toolTip = text),
      on: () => undefined,
      destroy: () => undefined,
    }),
    buildMenu: (given) => as(given),
    app: as({ mcp, vault: { state } }),
    actions: as({}),
  });
  const item = () => template.find(({ label }) => label === 'Pause all tools');
  const press = () => item()?.click?.(as({ checked: !item()?.checked }), undefined, as({}));
  const shown = () => [item()?.checked, toolTip];
  expect(shown()).toEqual([false, 'Interlinear · MCP 1/1']);
  press();
  expect(mcp.servers.get()).toMatchObject({ paused: true, servers: [{ state: { kind: 'ready' } }] });
  expect(shown()).toEqual([true, 'Interlinear · MCP 1/1 · tools paused']);
  expect(readFileSync(join(data, 'mcp.json'), 'utf8')).toBe(file);
  press();
  expect(mcp.servers.get().paused).toBe(false);
  expect(shown()).toEqual([false, 'Interlinear · MCP 1/1']);
  removeTray();
});

test('a person who looks elsewhere is told once that an answer is done', async () => {
  const { createApp } = createAppDouble();
  const { chat } = await createApp(as({}));
  const approvals = { onChange: () => () => undefined };
  const shown: string[] = [];
  let watched = false;
  const stop = createNotifications({
    Notification: as(
      class {
        constructor(readonly options: { title: string; body: string }) {}
        on() {}
        show() {
          shown.push(`${this.options.title}: ${this.options.body}`);
        }
      },
    ),
    app: as({ chat, tools: { approvals } }),
    isWatched: () => watched,
    show: () => undefined,
  });
  const run = (runId: string, phase: object) =>
    as<never>({ kind: 'answer', runId, path: `${runId}.md`, phase });
  chat.runs.set([run('a', { kind: 'writing' })]);
  chat.runs.set([run('a', { kind: 'finished', reason: 'stop' })]);
  chat.runs.set([
    run('a', { kind: 'finished', reason: 'stop' }),
    run('b', { kind: 'finished', reason: 'cancelled' }),
  ]);
  watched = true;
  chat.runs.set([run('c', { kind: 'failed' })]);
  expect(shown).toEqual(['The answer is complete: a.md']);
  stop();
});
