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
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type App, createApp } from '../../src/core/app';
import { takeInstanceLock } from '../../src/core/hosting';
import { createNodeHost } from '../../src/node/host';
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
  await app.trustVault(true, []);
  await app.close();
  const lock = takeInstanceLock(data);
  if (lock.kind === 'taken') lock.lock.release();
  const database = new DatabaseSync(join(data, 'interlinear.db'));
  database.prepare('insert into tool_grants values (?, ?)').run('g1', JSON.stringify(grant));
  database.close();
  mkdirSync(join(data, 'journals'), { recursive: true });
});
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

const files = [
  'interlinear.db',
  'settings.json',
  'trust.json',
  'mcp.json',
  'secrets.json',
  'secrets.key',
  'journals/x.journal',
  // Of these nothing has to be said: nothing of the person's is in them, or it is said where it is missed.
  'instance.lock, journals.lock, logs/interlinear.log',
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
  if (file.includes(',')) return true;
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
    for (const one of file.split(', ')) {
      const path = join(data, one);
      mkdirSync(dirname(path), { recursive: true });
      if (!/json|db|key/.test(one)) writeFileSync(path, 'something');
      damages[damage]!(path, one);
    }
    if (damage === 'not permitted' && !become(somebody)) {
      process.stdout.write('Nothing can be denied here: this system knows no users.\n');
      return;
    }
    const instance = takeInstanceLock(data);
    expect(instance.kind).toBe('taken');
    const app = await start();
    try {
      await app.openVault(vault);
      await app.host.secrets.get('provider:p1').catch(() => null);
      await app.mcp.settled(new AbortController().signal);
      for (const [other, isThere] of Object.entries(parts))
        if (other !== file) expect(isThere(app), `${other} is taken`).toBe(true);
      const problems = [
        ...app.notices.list.get().map(({ facts }) => JSON.stringify(facts)),
        ...app.mcp.servers.get().problems.map((problem) => JSON.stringify(problem)),
      ];
      const told = problems.filter((problem) => problem.includes(file));
      expect(problems.filter((problem) => !told.includes(problem))).toEqual([]);
      if (!isSilent(file, damage)) expect(told).toHaveLength(1);
      // A schema's own JSON is no reason.
      for (const problem of told) expect(problem).not.toContain('\\"code\\"');
      if (damage === 'older' && parts[file] && file !== 'trust.json') expect(parts[file](app)).toBe(true);
    } finally {
      await app.close();
      if (instance.kind === 'taken') instance.lock.release();
      process.seteuid?.(0);
    }
  },
);

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
