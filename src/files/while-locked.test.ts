import { once } from 'node:events';
import {
  existsSync,
  linkSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { smallDisk } from '../../tests/support/small-disk';
import { makeSharedFile } from './private';
import { lockDamage, whileLocked } from './while-locked';

/** A link can take the place of a lock after that was looked at. */
test('where a link leads that stands in the place of a lock, no file is made', async (context) => {
  if (process.platform === 'win32') return context.skip('links need a right of their own on Windows');
  const folder = mkdtempSync(join(tmpdir(), 'lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [lock, nobody] = [join(folder, 'lock'), join(folder, 'Nobody.md')];
  symlinkSync('Nobody.md', lock);
  expect(() => makeSharedFile(lock)).toThrow('ELOOP');
  await expect(whileLocked(lock, 1_000, async () => 'locked')).rejects.toMatchObject({ code: 'EROFS' });
  expect(lockDamage(lock)).toEqual({ file: lock, why: 'it is a link that leads nowhere.' });
  expect(existsSync(nobody)).toBe(false);
});

test.each(['', '-shm', '-wal', '-journal'])(
  'a note that has the name of the lock%s as well, by a hard link, is not written to',
  async (ending) => {
    const folder = mkdtempSync(join(tmpdir(), 'lock-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const [lock, note] = [join(folder, 'lock'), join(folder, 'Diary.md')];
    writeFileSync(note, 'Words');
    if (ending !== '') {
      const database = new DatabaseSync(lock);
      database.exec('PRAGMA journal_mode=WAL; CREATE TABLE one (a); INSERT INTO one VALUES (1)');
      database.close();
    }
    linkSync(note, lock + ending);
    await expect(whileLocked(lock, 1_000, async () => 'locked')).rejects.toMatchObject({ code: 'EROFS' });
    expect(lockDamage(lock)).toEqual({ file: lock + ending, why: 'it has another name as well.' });
    expect(readFileSync(note, 'utf8')).toBe('Words');
    renameSync(lock + ending, `${lock}.set-aside`);
    expect(lockDamage(lock)).toBeNull();
    expect(await whileLocked(lock, 1_000, async () => 'locked')).toBe('locked');
  },
);

test('a lock on a disk that is full is told as that, not as one that may not be written', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'lock-'));
  const unmount = await smallDisk(folder, '64k');
  onTestFinished(async () => {
    await unmount?.();
    rmSync(folder, { recursive: true, force: true });
  });
  if (!unmount) return context.skip('no disk to fill');
  expect(() => writeFileSync(join(folder, 'fill'), Buffer.alloc(200_000))).toThrow('ENOSPC');
  const lock = join(folder, 'lock');
  await expect(whileLocked(lock, 1_000, async () => 'locked')).rejects.toMatchObject({ code: 'ENOSPC' });
  rmSync(join(folder, 'fill'));
  expect(await whileLocked(lock, 1_000, async () => 'locked')).toBe('locked');
});

test('what SQLite makes and removes beside a lock is no link that leads nowhere, whenever it is looked at', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const lock = join(folder, 'lock');
  writeFileSync(lock, '');
  const other = new Worker(
    `const { rmSync, writeFileSync } = require('node:fs');
    for (;;) { writeFileSync(${JSON.stringify(`${lock}-journal`)}, ''); rmSync(${JSON.stringify(`${lock}-journal`)}, { force: true }); }`,
    { eval: true },
  );
  onTestFinished(async () => void (await other.terminate()));
  await once(other, 'online');
  const found = new Set<string>();
  for (const end = Date.now() + 1_500; Date.now() < end; ) {
    const damage = lockDamage(lock);
    if (damage) found.add(damage.why);
  }
  expect([...found]).toEqual([]);
});
