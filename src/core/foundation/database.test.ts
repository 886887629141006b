import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { type FileTrouble, openDatabase } from '.';

function inFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'database-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const troubles: FileTrouble[] = [];
  const path = join(folder, 'interlinear.db');
  const open = () => {
    const database = openDatabase(path, (trouble) => troubles.push(trouble));
    onTestFinished(() => {
      if (database.sql.isOpen) database.close();
    });
    return database;
  };
  return { path, troubles, open };
}

const things = 'create table if not exists things (id integer primary key, name text not null) strict';

function filled(open: ReturnType<typeof inFolder>['open'], rows: number): void {
  const database = open();
  database.define(things);
  const insert = database.sql.prepare('insert into things (name) values (?)');
  database.sql.exec('begin');
  for (let row = 0; row < rows; row++) insert.run(`thing ${row} ${'x'.repeat(200)}`);
  database.sql.exec('commit');
  database.close();
}

const count = (sql: DatabaseSync) => Number(sql.prepare('select count(*) as n from things').get()?.n);

test('a database that another program locks stays in its place, and this run goes on in memory', async () => {
  const { path, troubles, open } = inFolder();
  filled(open, 3);
  const locking = spawn(process.execPath, [
    '-e',
    `const db = new (require('node:sqlite').DatabaseSync)(${JSON.stringify(path)});
     db.exec('pragma locking_mode = exclusive; begin exclusive'); console.log('locked'); setInterval(() => {}, 1e6)`,
  ]);
  onTestFinished(() => void locking.kill());
  await once(locking.stdout, 'data');
  const database = open();
  database.define(things);
  database.sql.exec("insert into things (name) values ('of this run')");
  expect(troubles).toMatchObject([{ file: path, state: 'busy', keptAs: null }]);
  locking.kill();
  await once(locking, 'exit');
  const next = open();
  expect(count(next.sql)).toBe(3);
  expect(troubles).toHaveLength(1);
});

test('a damaged database is set aside with its log, and the rows before and behind the damage are taken over', () => {
  const { path, troubles, open } = inFolder();
  filled(open, 2_000);
  const bytes = readFileSync(path);
  bytes.fill(0xff, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 4_096);
  writeFileSync(path, bytes);
  writeFileSync(`${path}-wal`, '');
  const database = open();
  database.define(things);
  expect(count(database.sql)).toBeGreaterThan(1_500);
  expect(count(database.sql)).toBeLessThan(2_000);
  const [trouble] = troubles;
  expect(trouble).toMatchObject({ state: 'damaged', keptAs: expect.stringContaining('.damaged-') });
  expect(readFileSync(trouble!.keptAs!).equals(bytes)).toBe(true);
  const names = readdirSync(dirname(path));
  expect(names.filter((name) => name.endsWith('-wal') && name.includes('damaged'))).toHaveLength(1);
  database.close();
  expect(count(open().sql)).toBeGreaterThan(1_500);
});

test('a database of a newer app is neither changed nor moved', () => {
  const { path, troubles, open } = inFolder();
  filled(open, 3);
  const newer = new DatabaseSync(path);
  newer.exec('pragma user_version = 2');
  newer.close();
  const before = readFileSync(path);
  const database = open();
  database.define(things);
  expect(count(database.sql)).toBe(0);
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
  expect(database.sql.prepare('select name from things where id = 2').get()).toMatchObject({ name: 'b' });
  expect(troubles).toEqual([]);
});

test('a place that can not be written at all still gives a database', () => {
  const { path, troubles } = inFolder();
  writeFileSync(path, 'a file');
  const inFile = join(path, 'inner', 'interlinear.db');
  const database = openDatabase(inFile, (trouble) => troubles.push(trouble));
  database.define(things);
  expect(count(database.sql)).toBe(0);
  expect(troubles).toHaveLength(1);
  database.close();
  expect(existsSync(path)).toBe(true);
});
