import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { lockDatabase } from '../../../../tests/support/lock-database';
import { type Database, type FileTrouble, openDatabase } from '..';

function inFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'database-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const troubles: FileTrouble[] = [];
  const path = join(folder, 'interlinear.db');
  let over = Promise.withResolvers<void>();
  const open = () => {
    const database = openDatabase(path, (trouble) => troubles.push(trouble), {
      onTroubleOver() {
        over.resolve();
        over = Promise.withResolvers();
      },
    });
    let closed: Promise<void> | null = null;
    const close = () => (closed ??= database.close());
    onTestFinished(close);
    return { ...database, close };
  };
  return { folder, path, troubles, open, over: () => over.promise };
}

const things = 'create table if not exists things (id integer primary key, name text not null) strict';
const insert = 'insert into things (name) values (?)';

async function filled(open: ReturnType<typeof inFolder>['open'], rows: number): Promise<void> {
  const database = open();
  database.define(things);
  const all = Array.from({ length: rows }, (_, row) => [insert, `thing ${row} ${'x'.repeat(200)}`] as const);
  await database.write(...all);
  await database.close();
}

const count = (database: Pick<Database, 'all'>) =>
  Number(database.all('select count(*) as n from things')[0]?.n);

function inFile(path: string): number {
  const file = new DatabaseSync(path);
  try {
    return Number(file.prepare('select count(*) as n from things').get()?.n);
  } finally {
    file.close();
  }
}

test('while another program writes, nothing waits, nothing is lost, and what was put is read at once', async () => {
  const { path, troubles, open, over } = inFolder();
  await filled(open, 3);
  const create = 'create table if not exists notes (id text primary key, text text not null) strict';
  open().define(create);
  const release = await lockDatabase(path);
  const database = open();
  database.define(things);
  const notes = database.table<{ id: string; text: string }>(create);
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const written = Array.from({ length: 100 }, (_, n) => database.write([insert, `${n}`]));
  void notes.put({ id: 'a', text: 'one' });
  void notes.put({ id: 'a', text: 'two' });
  void notes.put({ id: 'b', text: 'other' });
  void notes.remove({ id: 'b' });
  await expect.poll(() => troubles.length).toBe(1);
  delays.disable();
  expect(troubles).toMatchObject([{ file: path, state: 'busy', keptAs: null }]);
  expect(count(database)).toBe(3);
  expect(notes.all()).toEqual([{ id: 'a', text: 'two' }]);
  expect(delays.max / 1e6).toBeLessThan(200);
  const isOver = over();
  await release();
  await Promise.all(written);
  await isOver;
  expect(inFile(path)).toBe(103);
  expect(notes.all()).toEqual([{ id: 'a', text: 'two' }]);
});

test('a table that is not there yet is made once another program is done, and has what was written meanwhile', async () => {
  const { path, open } = inFolder();
  await filled(open, 1);
  const release = await lockDatabase(path);
  const database = open();
  database.define('create table if not exists others (id integer primary key) strict');
  await database.write(['insert into others values (7)'], [insert, 'more']);
  const returned = new Promise<void>((resolve) => database.onReturned(resolve));
  await release();
  await returned;
  expect(database.all('select id from others')).toMatchObject([{ id: 7 }]);
  expect(inFile(path)).toBe(2);
});

test('one write that can never be done costs itself alone, also among those that waited', async () => {
  const { path, open } = inFolder();
  await filled(open, 1);
  const release = await lockDatabase(path);
  const database = open();
  database.define(things);
  const all = [
    [insert, 'a'],
    [insert, null],
    [insert, 'b'],
  ] as const;
  const written = Promise.allSettled(all.map((statement) => database.write(statement)));
  await release();
  expect((await written).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(inFile(path)).toBe(3);
});

test('a row that two take is taken by one, and what another process writes is read', async () => {
  const { open } = inFolder();
  const create = 'create table if not exists rows (id text primary key, owner text) strict';
  const [a, b] = [
    open().table<{ id: string; owner: string | null }>(create),
    open().table<{ id: string; owner: string | null }>(create),
  ];
  await a.put({ id: '1', owner: null });
  expect(b.all()).toEqual([{ id: '1', owner: null }]);
  const row = { id: '1', owner: null };
  const taken = await Promise.all([a.exchange(row, { id: '1', owner: 'a' }), b.exchange(row, null)]);
  expect(taken).toEqual([true, false]);
  expect(b.get({ id: '1' })).toEqual({ id: '1', owner: 'a' });
  expect(a.get({ id: '1' })).toEqual({ id: '1', owner: 'a' });
});

test('a database that another program has to itself is taken up when it is free, with what this run wrote', async () => {
  const { path, troubles, open, over } = inFolder();
  await filled(open, 3);
  const release = await lockDatabase(path, 'everything');
  const database = open();
  database.define(things);
  await database.write([insert, 'of this run']);
  expect(troubles).toMatchObject([{ file: path, state: 'busy', keptAs: null }]);
  expect(count(database)).toBe(1);
  const returned = new Promise<void>((resolve) => database.onReturned(resolve));
  const isOver = over();
  await release();
  await Promise.all([returned, isOver]);
  expect(count(database)).toBe(4);
  expect(inFile(path)).toBe(4);
  expect(troubles).toHaveLength(1);
});

test.each(['the file', 'the folder'])(
  '%s is deleted while it is open: it is made anew with every row',
  async (what) => {
    const { folder, path, troubles, open } = inFolder();
    await filled(open, 2_000);
    const database = open();
    const before = count(database);
    rmSync(what === 'the file' ? path : folder, { recursive: true });
    if (what === 'the file') for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
    database.review();
    await database.write([insert, 'after']);
    expect(count(database)).toBe(before + 1);
    expect(inFile(path)).toBe(before + 1);
    expect(troubles).toEqual([]);
  },
);

test('a database that is damaged while it is open is set aside, and the rows that can be read go on in a new one', async () => {
  const { path, troubles, open } = inFolder();
  await filled(open, 20_000);
  const database = open();
  const bytes = readFileSync(path);
  bytes.fill(0xff, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 4_096);
  writeFileSync(path, bytes);
  expect(() => database.all('select sum(length(name)) from things')).toThrow();
  await expect.poll(() => troubles.length).toBe(1);
  expect(troubles).toMatchObject([{ state: 'damaged', keptAs: expect.stringContaining('.damaged-') }]);
  await database.write([insert, 'after']);
  expect(count(database)).toBeGreaterThan(19_000);
  expect(inFile(path)).toBe(count(database));
});

test('a damaged database is set aside with its log, and the rows before and behind the damage are taken over', async () => {
  const { path, troubles, open } = inFolder();
  await filled(open, 2_000);
  const bytes = readFileSync(path);
  bytes.fill(0xff, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 4_096);
  writeFileSync(path, bytes);
  writeFileSync(`${path}-wal`, '');
  const database = open();
  database.define(things);
  expect(count(database)).toBeGreaterThan(1_500);
  expect(count(database)).toBeLessThan(2_000);
  const [trouble] = troubles;
  expect(trouble).toMatchObject({ state: 'damaged', keptAs: expect.stringContaining('.damaged-') });
  expect(readFileSync(trouble!.keptAs!).equals(bytes)).toBe(true);
  const names = readdirSync(dirname(path));
  expect(names.filter((name) => name.endsWith('-wal') && name.includes('damaged'))).toHaveLength(1);
  await database.close();
  expect(count(open())).toBeGreaterThan(1_500);
});

test('a database of a newer app is neither changed nor moved', async () => {
  const { path, troubles, open } = inFolder();
  await filled(open, 3);
  const newer = new DatabaseSync(path);
  newer.exec('pragma user_version = 2');
  newer.close();
  const before = readFileSync(path);
  const database = open();
  database.define(things);
  expect(count(database)).toBe(0);
  expect(troubles).toMatchObject([{ state: 'newer', keptAs: null }]);
  expect(readFileSync(path).equals(before)).toBe(true);
});

test('a table of an older form gets the present one, with its rows', () => {
  const { path, troubles, open } = inFolder();
  const old = new DatabaseSync(path);
  old.exec("create table things (name text); insert into things values ('a'), ('b')");
  old.close();
  const database = open();
  database.define(`${things}; create index if not exists things_name on things (name)`);
  expect(database.all('select name from things where id = 2')[0]).toMatchObject({ name: 'b' });
  expect(troubles).toEqual([]);
});

test('a place that can not be written at all still gives a database', () => {
  const { path, troubles } = inFolder();
  writeFileSync(path, 'a file');
  const inFile = join(path, 'inner', 'interlinear.db');
  const database = openDatabase(inFile, (trouble) => troubles.push(trouble));
  database.define(things);
  expect(count(database)).toBe(0);
  expect(troubles).toHaveLength(1);
  void database.close();
  expect(existsSync(path)).toBe(true);
});
