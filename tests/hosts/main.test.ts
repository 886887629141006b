import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { operations } from '../../src/contract/operations';
import { takeInstanceLock } from '../../src/core/hosting';
import { ensureBuilt } from '../whole/support/core';
import { eventsOf, membersOf, strict } from './electron-api.mjs';

const root = resolve(import.meta.dirname, '../..');
beforeAll(ensureBuilt, 120_000);

type Told = Record<string, unknown> & { did: string };
const running = new Set<ChildProcess>();
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
});

interface Setting {
  readonly home?: string;
  readonly words?: readonly string[];
  readonly cwd?: string;
  readonly environment?: Record<string, string>;
  /** How the stand-in for Electron behaves. */
  readonly double?: object;
}

/** The built main process, whole, over a stand-in that knows just the calls of Electron's types. */
function startMain({
  home = mkdtempSync(join(tmpdir(), 'main-')),
  words = [],
  cwd = home,
  environment,
  double = {},
}: Setting = {}) {
  const child = fork(join(root, 'out/main/index.js'), [...words], {
    cwd,
    execArgv: ['--import', join(import.meta.dirname, 'electron-double.mjs')],
    env: {
      ...process.env,
      HOME: home,
      USERPROFILE: home,
      XDG_DATA_HOME: join(home, '.local/share'),
      DBUS_SESSION_BUS_ADDRESS: '',
      ...environment,
      ELECTRON_DOUBLE: JSON.stringify(double),
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  running.add(child);
  const told: Told[] = [];
  child.on('message', (message) => told.push(message as Told));
  const of = (did: string) => told.filter((one) => one.did === did);
  let asked = 0;
  return {
    home,
    data: join(home, '.local/share/interlinear'),
    of,
    exit: once(child, 'exit'),
    send: (what: string, given: object = {}) => child.send({ what, ...given }),
    seen: (did: string, times = 1) =>
      expect.poll(() => of(did).length, { timeout: 20_000 }).toBeGreaterThanOrEqual(times),
    /** What the page asks over its port; resolves with the core's answer. */
    async ask(op: keyof typeof operations, input: object): Promise<unknown> {
      const id = ++asked;
      child.send({ what: 'frame', frame: { t: 'call', id, op, input } });
      const answer = () =>
        of('frame')
          .map(({ frame }) => frame as Record<string, unknown>)
          .find((frame) => frame.id === id);
      await expect.poll(answer, { timeout: 20_000 }).toBeDefined();
      expect(answer()).toMatchObject({ t: 'result' });
      return answer()?.output;
    },
    async quit() {
      child.send({ what: 'quit' });
      const [code] = (await once(child, 'exit')) as [number];
      expect(of('unknown')).toEqual([]);
      return code;
    },
  };
}

function noteIn(folder: string, path: string, text = '#User : Hello\n'): string {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
  return join(folder, path);
}

test('the stand-in knows what Electron declares, and fails for what it does not', () => {
  expect(membersOf('BrowserWindow')).toContain('loadURL');
  expect(membersOf('WebContents')).toContain('reload');
  expect(eventsOf('WebContents')).toContain('render-process-gone');
  expect(() => strict('Dialog', { showErrorBocks: () => undefined }, () => undefined)).toThrow(
    'has no showErrorBocks',
  );
  const problems: string[] = [];
  const dialog = strict('Dialog', { showErrorBox: () => undefined }, (problem: string) =>
    problems.push(problem),
  );
  expect(() => dialog.showMessageBox).toThrow('lacks showMessageBox');
  expect(() => dialog.shoutErrorBox).toThrow('has no shoutErrorBox');
  expect(problems).toHaveLength(2);
});

test('it opens a sandboxed page, hands it a port, shows the tray, and quits in good order', async () => {
  const main = startMain();
  await main.seen('frame');
  const safe = { sandbox: true, contextIsolation: true, nodeIntegration: false, devTools: false };
  // Beside macOS, Chromium would fetch its dictionaries from a server of others.
  const spellcheck = process.platform === 'darwin';
  expect(main.of('window')).toMatchObject([{ webPreferences: { ...safe, spellcheck } }]);
  expect(main.of('page')).toMatchObject([
    { status: 200, policy: expect.stringContaining("script-src 'self'") },
  ]);
  expect(main.of('frame')[0]).toMatchObject({ channel: 'interlinear:port', frame: { t: 'hello' } });
  expect(main.of('tray')[0]?.labels).toEqual(expect.arrayContaining(['Show Interlinear', 'Quit']));
  expect(main.of('enableSandbox')).toHaveLength(1);
  expect(main.of('menu')[0]?.roles).not.toContain('toggleDevTools');
  expect(main.of('menu')[0]?.roles).toContain('"role":"reload"');
  expect(await main.quit()).toBe(0);
  expect(main.of('quit')).toHaveLength(1);
});

test('desktop and command line have one data folder, and what an older version kept elsewhere comes over', async () => {
  const home = mkdtempSync(join(tmpdir(), 'main-'));
  const former = join(home, '.config/Interlinear');
  const vault = mkdtempSync(join(tmpdir(), 'vault-'));
  const providers = [
    { id: 'a', vendor: 'openai', tag: 'A', model: 'm' },
    { id: 'b', vendor: 'anthropic', tag: 'B', model: 'm' },
  ];
  noteIn(
    former,
    'settings.json',
    JSON.stringify({ version: 1, recentVaults: [vault], fontSize: 21, providers }),
  );
  noteIn(former, 'journals/x/kept', 'unsaved');
  const sealed = Buffer.from(JSON.stringify(['provider:a', 'planted-key']))
    .reverse()
    .toString('base64');
  noteIn(former, 'safe-storage.json', JSON.stringify({ version: 1, sealed: { 'provider:a': sealed } }));
  const main = startMain({ home });
  await main.seen('frame');
  expect(JSON.parse(readFileSync(join(main.data, 'settings.json'), 'utf8'))).toMatchObject({ fontSize: 21 });
  expect(existsSync(join(main.data, 'safe-storage.json'))).toBe(false);
  expect(Object.keys(JSON.parse(readFileSync(join(main.data, 'secrets.json'), 'utf8')).sealed)).toEqual([
    'provider:a',
  ]);
  expect(readFileSync(join(main.data, 'secrets.json'), 'utf8')).not.toContain('planted-key');
  expect(existsSync(join(former, 'settings.json'))).toBe(false);
  expect(await main.quit()).toBe(0);
  const { stdout } = spawnSync(process.execPath, [join(root, 'out/main/cli.js'), 'doctor', '--json'], {
    env: {
      ...process.env,
      HOME: home,
      XDG_DATA_HOME: join(home, '.local/share'),
      INTERLINEAR_DATA: '',
      INTERLINEAR_API_KEY: '',
      OPENAI_API_KEY: '',
      ANTHROPIC_API_KEY: '',
      DBUS_SESSION_BUS_ADDRESS: '',
    },
    encoding: 'utf8',
  });
  expect(stdout).toContain(main.data);
  const keys = (JSON.parse(stdout) as { found: string }[])
    .map(({ found }) => found)
    .filter((found) => /^(key: |no key$)/.test(found));
  // The desktop's key is the command line's; the other provider has none anywhere.
  expect(keys).toEqual(['key: stored', 'no key']);
});

test('another data folder may be named relative to where it is started', async () => {
  const main = startMain({ environment: { INTERLINEAR_DATA: 'my data' } });
  await main.seen('frame');
  expect(readdirSync(join(main.home, 'my data'))).toContain('interlinear.db');
  expect(main.of('path')).toEqual([
    { did: 'path', name: 'userData', path: join(main.home, 'my data/chromium') },
  ]);
  expect(await main.quit()).toBe(0);
});

test('a note that the system hands over is opened in its vault: with the start, by a second start, by an event', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vaults-'));
  const first = noteIn(folder, 'A/Deep/First note.md');
  mkdirSync(join(folder, 'A/.interlinear'));
  const second = noteIn(folder, 'B/Second.md');
  const main = startMain({ words: ['--flag', 'Deep/First note.md'], cwd: join(folder, 'A') });
  const pages = () => main.of('page').map(({ url }) => url);
  await expect.poll(pages, { timeout: 20_000 }).toEqual(['app://interlinear/#note=Deep%2FFirst%20note.md']);
  await main.seen('frame');
  main.send('app-event', { event: 'second-instance', args: [['app', second], folder] });
  await expect.poll(pages, { timeout: 20_000 }).toContain('app://interlinear/#note=Second.md');
  main.send('app-event', { event: 'open-file', args: [first] });
  await expect.poll(() => pages().length, { timeout: 20_000 }).toBe(3);
  expect(pages().at(-1)).toBe('app://interlinear/#note=Deep%2FFirst%20note.md');
  main.send('app-event', {
    event: 'second-instance',
    args: [['app', 'interlinear://note?path=First.md'], folder],
  });
  await expect.poll(() => pages().at(-1)).toContain('#link=interlinear');
  main.send('app-event', { event: 'second-instance', args: [['app', 'gone.md', 'x.exe'], folder] });
  await main.seen('focus', 4);
  expect(pages()).toHaveLength(4);
  expect(await main.quit()).toBe(0);
});

test('a start that fails is said, gives the lock back, and ends with a code', async () => {
  const main = startMain({ double: { failing: ['protocol'] } });
  expect(await main.exit).toEqual([1, null]);
  expect(main.of('error')).toMatchObject([
    { title: 'Interlinear could not start', content: expect.stringContaining('planted: no such scheme') },
  ]);
  const lock = takeInstanceLock(main.data);
  expect(lock.kind).toBe('taken');
  if (lock.kind === 'taken') lock.lock.release();
});

test('a second start leaves at once and touches nothing', async () => {
  const main = startMain({ double: { isSecond: true } });
  expect(await main.exit).toEqual([0, null]);
  expect(main.of('window')).toEqual([]);
});

test('a page whose process dies is loaded anew on the same core; one that dies again is asked about', async () => {
  const main = startMain({ double: { answers: [1] } });
  await main.seen('frame');
  const dies = () =>
    main.send('page-event', { event: 'render-process-gone', args: [{ reason: 'crashed', exitCode: 5 }] });
  dies();
  await main.seen('reload');
  await main.seen('frame', 2);
  expect(await main.ask('app.info', {})).toMatchObject({ kind: 'electron' });
  expect(main.of('message')).toEqual([]);
  dies();
  await main.seen('message');
  expect(main.of('message')[0]?.buttons).toEqual(['Load again', 'Quit']);
  expect(await main.exit).toEqual([0, null]);
  expect(main.of('unknown')).toEqual([]);
});

test('quitting while an answer streams keeps what came and what was typed', async () => {
  const vault = mkdtempSync(join(tmpdir(), 'vault-'));
  const home = mkdtempSync(join(tmpdir(), 'main-'));
  const note = noteIn(vault, 'Story.md', '#User : Tell me a long story\n');
  const demo = { id: 'demo', vendor: 'demo', tag: 'Demo', model: 'demo', parameters: { pace: 12 } };
  const settings = { version: 1, recentVaults: [vault], providers: [demo], defaultProvider: 'demo' };
  noteIn(join(home, '.local/share/interlinear'), 'settings.json', JSON.stringify(settings));
  const main = startMain({ home });
  await main.seen('frame');
  const before = readFileSync(note, 'utf8');
  main.send('frame', {
    frame: { t: 'open', id: 1000, op: 'notes.follow', input: { path: 'Story.md', seen: null } },
  });
  const opened = () =>
    main
      .of('frame')
      .map(({ frame }) => frame as { id?: number; item?: { sessionId?: string; version?: number } })
      .find(({ id }) => id === 1000);
  await expect.poll(opened, { timeout: 20_000 }).toBeDefined();
  await main.ask('chat.run', { path: 'Story.md', at: before.length, version: opened()?.item?.version ?? 0 });
  await expect
    .poll(() => readFileSync(note, 'utf8').length, { timeout: 20_000 })
    .toBeGreaterThan(before.length + 40);
  const streamed = readFileSync(note, 'utf8').slice(before.length).trimEnd();
  const { sessionId = '', version = 0 } = opened()?.item ?? {};
  const typed = { clientId: 'window', changes: [[0, 'Typed at the end. '], before.length] };
  await main.ask('notes.push', { path: 'Story.md', sessionId, version, updates: [typed] });
  expect(await main.quit()).toBe(0);
  const after = readFileSync(note, 'utf8');
  expect(after.startsWith(`Typed at the end. ${before}${streamed}`)).toBe(true);
  expect(after).toContain('#Demo : ');
});

test('a right click on text offers what can be done with it', async () => {
  const main = startMain();
  await main.seen('frame');
  const flags = { canCut: true, canCopy: true, canPaste: true, canSelectAll: true };
  const text = {
    isEditable: true,
    editFlags: flags,
    selectionText: '',
    misspelledWord: 'wrod',
    dictionarySuggestions: ['word'],
  };
  main.send('page-event', { event: 'context-menu', args: [text] });
  await main.seen('popup');
  expect(main.of('popup')[0]?.labels).toEqual(
    expect.arrayContaining(['word', 'Add to dictionary', 'cut', 'copy', 'paste', 'selectAll']),
  );
  expect(await main.quit()).toBe(0);
});
