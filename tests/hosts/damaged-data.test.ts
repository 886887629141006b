import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type App, createApp } from '../../src/core/app';
import { keepPause, takeInstanceLock } from '../../src/core/hosting';
import { whileLocked } from '../../src/files';
import { readWindowState, writeWindowState } from '../../src/main/window-state';
import { createAccess } from '../../src/node/access';
import { createNodeHost } from '../../src/node/host';
import { listen } from '../../src/node/listen';
import { tokenOf } from '../../src/vault-server/token';
import { smallDisk } from '../support/small-disk';

const somebody = 65_534;
let folder: string;
let healthy: string;
let vault: string;
let data: string;
let cases = 0;

async function start(): Promise<App> {
  const host = await createNodeHost({
    appRoot: process.cwd(),
    version: '0',
    environment: { INTERLINEAR_DATA: data, PATH: process.env.PATH },
  });
  // The bundled server reads none of these files, and takes longer to start than all the rest.
  const vaultServer = { command: process.execPath, args: ['-e', ''], env: {} };
  return createApp({ ...host, vaultServer });
}

const grant = {
  id: 'g1',
  scope: 'server',
  serverId: 's1',
  serverName: 'mine',
  tool: null,
  path: null,
  grantedAt: 1,
  origin: 'o',
  pins: {},
};
const provider = { id: 'p1', vendor: 'openai', tag: 'One', model: 'm' };

beforeAll(async () => {
  // Reachable for whoever the tests become.
  folder = mkdtempSync(join(tmpdir(), 'damaged-'));
  chmodSync(dirname(folder), 0o711);
  chmodSync(folder, 0o777);
  [healthy, vault] = [join(folder, 'healthy'), join(folder, 'vault')];
  mkdirSync(vault);
  writeFileSync(join(vault, 'A.md'), 'text');
  mkdirSync(healthy, { recursive: true });
  data = healthy;
  writeFileSync(
    join(data, 'mcp.json'),
    JSON.stringify({ mcpServers: { mine: { command: 'x', enabled: false } } }),
  );
  const app = await start();
  app.settings.change({ theme: 'dark', providers: [provider] });
  await app.host.secrets.set('provider:p1', 'key');
  await app.openVault(vault);
  await app.trustVault(app.vault.root(), true, []);
  await useWhole(app);
  await app.close();
  const path = join(data, 'interlinear.db');
  const database = new DatabaseSync(path);
  database.prepare('insert into tool_grants values (?, ?)').run('g1', JSON.stringify(grant));
  database.exec('pragma wal_checkpoint(truncate)');
  const usage = `insert into usage (at, day, vault, path, vendor, model, input, output, cached)
    values (1, '', 'v', 'A.md', 'v', 'm', 1, 1, 0)`;
  database.exec(usage);
  // As an app leaves them that is killed.
  const left = ['-wal', '-shm'].map((end) => [`${path}${end}`, readFileSync(`${path}${end}`)] as const);
  database.close();
  for (const [place, bytes] of left) writeFileSync(place, bytes);
});

/** All that the hosts, the command line and the bundled server keep beside the core. */
async function useWhole(app: App): Promise<void> {
  const lock = takeInstanceLock(data);
  const stopKeeping = keepPause(data, app, app.host.log);
  app.mcp.setPaused(true);
  stopKeeping();
  await openHosts();
  createAccess(data).invite();
  writeFileSync(join(data, 'browsers/sessions/0123456789abcdef.json'), '{}');
  const bounds = { x: 0, y: 0, width: 800, height: 600 };
  writeWindowState(join(data, 'window.json'), { bounds, maximized: false });
  writeFileSync(join(data, 'safe-storage.json'), '{}');
  writeFileSync(join(data, 'sign-ins.changed'), 's1');
  await whileLocked(join(data, 'sign-in-s1.lock'), 1_000, async () => undefined);
  await tokenOf(vault, { INTERLINEAR_DATA: data });
  app.notes.keep('Gone.md', 'words of a note that is no more');
  const { session, release } = await app.notes.hold('A.md');
  session.edit('me', { from: 0, insert: 'more ' });
  await session.save();
  release();
  const ending = new AbortController();
  for await (const _first of app.notes.follow('A.md', null, ending.signal)) ending.abort();
  writeFileSync(join(data, 'logs/interlinear.log.1'), '{}');
  if (lock.kind !== 'taken') return;
  lock.lock.release();
  writeFileSync(join(data, 'instance.json'), '{}');
}

/** What hosts read of the folder before a screen is there. */
async function openHosts(): Promise<void> {
  createAccess(data);
  readWindowState(join(data, 'window.json'), []);
  const server = createServer();
  await listen(server, data);
  server.close();
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => process.seteuid?.(0));

/** What shows that each part was taken as it is. */
const parts: Record<string, (app: App) => unknown> = {
  'settings.json': (app) => app.settings.current.get().theme === 'dark',
  'trust.json': (app) => {
    const state = app.vault.state.get();
    return state.kind === 'open' && state.trusted;
  },
  'mcp.json': (app) => app.mcp.servers.get().servers.some(({ name }) => name === 'mine'),
  'interlinear.db': (app) => app.tools.grants.get().some(({ id }) => id === 'g1'),
};

/** Of these nothing has to be said: nothing of the person's is in them, or it is said where it is missed. */
const quiet = 'all that is missed by nobody at the start';
const quietOnes = [
  /^(instance|journals|sign-in-.+)\.lock$/,
  /^(instance|window|safe-storage)\.json$/,
  /^(tools-paused|sign-ins\.changed)$/,
  /^logs\/interlinear\.log(\.1)?$/,
  /^kept\/.+(\.md|\/about\.json)$/,
  /^browsers\/(place\.json|(sessions|invitations)\/.+)$/,
  /^vault-server\/.+\.token$/,
  /^versions\/[0-9a-f]{16}\/(vault|lock|index\.log|objects\/..\/.+)$/,
  /^journals\/.+\.journal\.new$/,
  /^ended-sessions\/[0-9a-f]+\.session$/,
];

const filesOf = (folder: string) =>
  (readdirSync(folder, { recursive: true }) as string[]).filter(
    (name) => !statSync(join(folder, name)).isDirectory(),
  );

const files = [
  'interlinear.db',
  'settings.json',
  'trust.json',
  'mcp.json',
  'secrets.json',
  'secrets.key',
  'journals/x.journal',
  'interlinear.db-wal',
  'interlinear.db-shm',
  quiet,
];

const older: Record<string, (path: string) => void> = {
  'interlinear.db'(path) {
    const database = new DatabaseSync(path);
    database.exec('drop table tool_calls; create table tool_calls (id integer primary key, call_id text)');
    database.exec("insert into tool_calls values (1, 'kept'); pragma user_version = 0");
    database.close();
  },
  'settings.json': (path) => writeFileSync(path, JSON.stringify({ theme: 'dark', providers: [provider] })),
  'trust.json': (path) => writeFileSync(path, JSON.stringify({ version: 1, folders: [vault] })),
};
const newer: Record<string, (path: string) => void> = {
  'interlinear.db'(path) {
    const database = new DatabaseSync(path);
    database.exec('pragma user_version = 99');
    database.close();
  },
  'settings.json': (path) => writeFileSync(path, JSON.stringify({ version: 99 })),
  'trust.json': (path) => writeFileSync(path, JSON.stringify({ version: 99, folders: [] })),
};

const damages: Record<string, (path: string, file: string) => void> = {
  empty: (path) => writeFileSync(path, ''),
  cut: (path) => truncateSync(path, Math.floor(readFileSync(path).length / 2)),
  'random bytes': (path) => writeFileSync(path, randomBytes(5_000)),
  'the wrong type': (path, file) =>
    file === 'interlinear.db' ? writeFileSync(path, 'text '.repeat(1_000)) : writeFileSync(path, '[1, "x"]'),
  'a folder'(path) {
    rmSync(path, { force: true });
    mkdirSync(path);
  },
  'a pipe'(path) {
    rmSync(path, { force: true });
    execFileSync('mkfifo', [path]);
  },
  'a socket'(path) {
    rmSync(path, { force: true });
    makeSocket(path);
  },
  'a link to a device without end'(path) {
    rmSync(path, { force: true });
    symlinkSync('/dev/zero', path);
  },
  'as large as a film'(path) {
    writeFileSync(path, '');
    truncateSync(path, 600 * 1024 * 1024);
  },
  'not permitted': (path) => chmodSync(path, 0),
  older: (path, file) => older[file]!(path),
  newer: (path, file) => newer[file]!(path),
};

/** The server that listened there is gone, its name stays. */
function makeSocket(path: string): void {
  const program = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
  spawnSync(process.execPath, ['-e', program]);
}

/** Silent by right: nothing of the person's was in it, or nothing was wrong. */
function isSilent(file: string, damage: string): boolean {
  if (file === quiet || file === 'interlinear.db-shm') return true;
  // Commits that were cut off are not there: the database itself is whole.
  if (file === 'interlinear.db-wal') return !/folder|pipe|socket|device|permitted/.test(damage);
  if (damage === 'empty') return /\.db$|mcp\.json$/.test(file);
  return damage === 'older';
}

function become(id: number): boolean {
  if (process.getuid?.() !== 0 || !process.seteuid) return process.getuid?.() !== undefined;
  process.seteuid(id);
  return true;
}

function freshData(): string {
  data = join(folder, `data-${++cases}`);
  cpSync(healthy, data, { recursive: true });
  for (const name of ['', ...(readdirSync(data, { recursive: true }) as string[])])
    chmodSync(join(data, name), 0o777);
  return data;
}

const versioned = Object.keys(newer);
const every = files.flatMap((file) => Object.keys(damages).map((damage) => [file, damage] as const));

test.each(every.filter(([file, damage]) => !/^(older|newer)$/.test(damage) || versioned.includes(file)))(
  '%s: %s. The app starts, names the file, and keeps the rest',
  async (file, damage) => {
    freshData();
    const ones =
      file === quiet ? filesOf(data).filter((name) => quietOnes.some((one) => one.test(name))) : [file];
    for (const one of ones) {
      const path = join(data, one);
      mkdirSync(dirname(path), { recursive: true });
      if (one.endsWith('.journal')) writeFileSync(path, 'something');
      damages[damage]!(path, one);
    }
    if (damage === 'not permitted' && !become(somebody)) {
      process.stdout.write('Nothing can be denied here: this system knows no users.\n');
      return;
    }
    const instance = takeInstanceLock(data);
    expect(instance.kind).toBe('taken');
    const app = await start();
    const stopKeeping = keepPause(data, app, app.host.log);
    try {
      await openHosts();
      await app.openVault(vault);
      await app.host.secrets.get('provider:p1').catch(() => null);
      await app.mcp.settled(new AbortController().signal);
      for (const [other, isThere] of Object.entries(parts))
        if (!file.startsWith(other)) expect(isThere(app), `${other} is taken`).toBe(true);
      const problems = [
        ...app.notices.list.get().map(({ facts }) => JSON.stringify(facts)),
        ...app.mcp.servers.get().problems.map((problem) => JSON.stringify(problem)),
      ];
      const told = problems.filter((problem) =>
        file === quiet ? problem.includes('versions') : problem.includes(file.replace(/-(wal|shm)$/, '')),
      );
      expect(problems.filter((problem) => !told.includes(problem))).toEqual([]);
      if (!isSilent(file, damage)) expect(told).toHaveLength(1);
      // A schema's own JSON is no reason.
      for (const problem of told) expect(problem).not.toContain('\\"code\\"');
      if (/^interlinear\.db-/.test(file)) expect(parts['interlinear.db']!(app)).toBe(true);
      if (damage === 'older' && parts[file] && file !== 'trust.json') expect(parts[file](app)).toBe(true);
    } finally {
      stopKeeping();
      await app.close();
      if (instance.kind === 'taken') instance.lock.release();
      process.seteuid?.(0);
    }
  },
);

const folders: Record<string, (versions: string) => string> = {
  journals: () => 'journals',
  'what another app left in its journals': () => 'journals-2',
  versions: () => 'versions',
  'the versions of a vault': (versions) => join('versions', versions),
  'the texts of versions': (versions) => join('versions', versions, 'objects'),
};

test.each(Object.keys(folders))(
  'a file in the place of the folder of %s is set aside, and told',
  async (which) => {
    const [versions = ''] = readdirSync(join(freshData(), 'versions'));
    const path = join(data, folders[which]!(versions));
    rmSync(path, { recursive: true, force: true });
    writeFileSync(path, 'something');
    const app = await start();
    await app.openVault(vault);
    await app.versions.keepAll();
    const told = app.notices.list
      .get()
      .flatMap(({ facts }) => (facts.code === 'damaged' && facts.keptAs ? facts : []));
    await app.close();
    expect(told).toMatchObject([
      {
        what: which.includes('versions') ? 'versions' : 'journal',
        file: path,
        reason: 'It was not a folder.',
      },
    ]);
    expect(readFileSync(told[0]?.keptAs ?? '', 'utf8')).toBe('something');
    expect(statSync(path).isDirectory()).toBe(true);
  },
);

test('a used data folder has no file that is not damaged here, and all that are damaged here', () => {
  const there = filesOf(healthy);
  const isRow = (name: string) =>
    files.includes(name) || name.endsWith('.journal') || quietOnes.some((one) => one.test(name));
  expect(there.filter((name) => !isRow(name))).toEqual([]);
  expect(files.filter((file) => file !== quiet && !/journal/.test(file) && !there.includes(file))).toEqual(
    [],
  );
  expect(quietOnes.filter((one) => !/new/.test(one.source) && !there.some((name) => one.test(name)))).toEqual(
    [],
  );
});

test('what the source puts into the data folder is damaged here', () => {
  // Those of sandboxes are homes of servers, and hold nothing that the app reads.
  const folders = [
    'sandboxes',
    'browsers',
    'ended-sessions',
    'kept',
    'logs',
    'versions',
    'vault-server',
    'journals',
    '.trash',
  ];
  // Chromium's own, and no file of ours.
  const others = ['chromium'];
  const source = ['core', 'main', 'node', 'vault-server'].flatMap((part) => {
    const root = join(process.cwd(), 'src', part);
    return (readdirSync(root, { recursive: true }) as string[])
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => readFileSync(join(root, name), 'utf8'));
  });
  const named = source.flatMap((text) =>
    [...text.matchAll(/join\((?:\w+\.)?dataFolder, ['`]([^'`$]+)/g)].map(([, name = '']) => name),
  );
  const isKnown = (name: string) =>
    [...folders, ...others, ...files].includes(name) ||
    quietOnes.some((one) => one.test(name) || one.test(`${name}x.lock`)) ||
    name === '.probe-';
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((name) => !isKnown(name))).toEqual([]);
});

async function openAndType(app: App): Promise<string[]> {
  await app.openVault(vault);
  const { session, release } = await app.notes.hold('A.md');
  session.edit('me', { from: 0, insert: '.' });
  expect(await session.save()).toMatchObject({ kind: 'saved' });
  release();
  return app.notices.list.get().map(({ facts }) => facts.code);
}

test('a data folder on a full disk: the app starts, says so, and notes can be written', async (context) => {
  const full = join(folder, 'full');
  mkdirSync(full);
  const unmount = await smallDisk(full, '1m');
  if (!unmount) return context.skip('no small disk can be mounted here');
  cpSync(healthy, full, { recursive: true });
  try {
    for (let size = 1_048_576; size >= 1; size = Math.floor(size / 2)) {
      try {
        appendFileSync(join(full, 'filling'), Buffer.alloc(size));
      } catch {
        // Half as much, until not a byte fits.
      }
    }
    data = full;
    const app = await start();
    expect(await openAndType(app)).toContain('damaged');
    expect(parts['interlinear.db']!(app)).toBe(true);
    await app.close();
    expect(readdirSync(full).filter((name) => name.includes('damaged'))).toEqual([]);
  } finally {
    await unmount();
  }
});

test('a data folder that may not be opened: the app starts, says so, and notes can be written', async () => {
  const path = freshData();
  chmodSync(vault, 0o777);
  chmodSync(join(vault, 'A.md'), 0o666);
  chmodSync(path, 0);
  if (!become(somebody)) return process.stdout.write('Nothing can be denied here.\n');
  const app = await start();
  expect(await openAndType(app)).toEqual(expect.arrayContaining(['damaged', 'no-journals']));
  await app.close();
});

test('one approval that can not be understood costs that approval, by name', async () => {
  const database = new DatabaseSync(join(freshData(), 'interlinear.db'));
  database.exec("insert into tool_grants values ('g2', 'no JSON'), ('g3', '{}')");
  database.close();
  const app = await start();
  expect(parts['interlinear.db']!(app)).toBe(true);
  expect(app.notices.list.get().map(({ facts }) => facts)).toMatchObject([
    { code: 'damaged', what: 'history', lost: ['grant g2', 'grant g3'], keptAs: null },
  ]);
  await app.close();
});
