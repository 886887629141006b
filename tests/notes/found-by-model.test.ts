import { cpSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChangeSet } from '@codemirror/state';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog, systemClock } from '../../src/core/foundation';
import { createNotes } from '../../src/core/notes';
import { chooseBase } from '../../src/core/notes/journal/journals';
import { readLines } from '../../src/core/notes/text/line-ends';
import { createVault, type Vault } from '../../src/core/vault';
import { createNotesCore } from './core';

/** What model.test.ts found, each by itself. */

let folder: string;
let root: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'found-'));
  root = join(folder, 'vault');
  await mkdir(root);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const patience = { timeout: 10_000 };

test('a note that others moved is known at its new place by whoever opens it there, and has one session', async () => {
  const { vault, notes, close } = createNotesCore(join(folder, 'data'));
  await writeFile(join(root, 'A.md'), 'one\ntwo\n');
  await vault.open(root);
  const first = await notes.hold('A.md');
  await rename(join(root, 'A.md'), join(root, 'B.md'));
  const second = await notes.hold('B.md');
  second.session.edit('me', { from: 0, insert: 'saved ' });
  expect(await second.session.save()).toMatchObject({ kind: 'saved' });
  first.session.edit('me', { from: 6, insert: 'typed ' });
  await vault.sweep();
  expect(second.session).toBe(first.session);
  expect(await first.session.save()).toMatchObject({ kind: 'saved' });
  expect(await readFile(join(root, 'B.md'), 'utf8')).toBe('saved typed one\ntwo\n');
  await close();
});

test('a note that is gone is not written again because it could not be looked for', async () => {
  const log = createLog(() => undefined);
  const real = createVault({
    log,
    clock: systemClock,
    trust: { isTrusted: () => true },
    moveToTrash: unlink,
  });
  let isFailing = false;
  const failing = () => Promise.reject(Object.assign(new Error('EMFILE'), { code: 'EMFILE' }));
  const readRaw: Vault['readRaw'] = (path) => (isFailing ? failing() : real.readRaw(path));
  const read: Vault['read'] = (path) => (isFailing ? failing() : real.read(path));
  const vault = { ...real, read, readRaw };
  const notes = createNotes({ vault, dataFolder: join(folder, 'data'), log, clock: systemClock });
  await writeFile(join(root, 'A.md'), 'one\n');
  await writeFile(join(root, 'Other.md'), '');
  await vault.open(root);
  const { session } = await notes.hold('A.md');
  await unlink(join(root, 'A.md'));
  await vault.sweep();
  await expect.poll(() => session.saveState().kind, patience).toBe('deleted');
  isFailing = true;
  await writeFile(join(root, 'Other.md'), 'changed');
  await vault.sweep();
  session.edit('me', { from: 0, insert: 'typed ' });
  await session.save();
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect(session.saveState().kind).toBe('deleted');
  await expect(readFile(join(root, 'A.md'))).rejects.toThrow('ENOENT');
  isFailing = false;
  await notes.close();
  await real.close();
});

test('a session that was dropped while its note was looked for takes no other session’s place with it', async () => {
  const log = createLog(() => undefined);
  const trust = { isTrusted: () => true };
  const vault = createVault({ log, clock: systemClock, trust, moveToTrash: unlink });
  const readThere = Promise.withResolvers<void>();
  const read: Vault['read'] = async (path) => {
    const there = await vault.read(path);
    if (path === 'B.md') readThere.resolve();
    return there;
  };
  const looked = Promise.withResolvers<void>();
  const found = Promise.withResolvers<string>();
  const whereNow = () => {
    looked.resolve();
    return found.promise;
  };
  const parts = {
    vault: { ...vault, read },
    dataFolder: join(folder, 'data'),
    log,
    clock: systemClock,
    whereNow,
  };
  const notes = createNotes(parts);
  await writeFile(join(root, 'A.md'), 'one\n');
  await vault.open(root);
  const former = await notes.hold('A.md');
  await rename(join(root, 'A.md'), join(root, 'B.md'));
  await vault.sweep();
  await looked.promise;
  await vault.create('A.md', 'another\n');
  const { session } = await notes.hold('A.md');
  found.resolve('B.md');
  await readThere.promise;
  await new Promise((resolve) => setTimeout(resolve));
  expect(session.text()).toBe('another\n');
  expect([notes.opened('A.md')?.sessionId, notes.opened('B.md')]).toEqual([session.sessionId, undefined]);
  session.edit('me', { from: 0, insert: 'still ' });
  former.release();
  await notes.close();
  await vault.close();
  expect(await readFile(join(root, 'A.md'), 'utf8')).toBe('still another\n');
  expect(await readFile(join(root, 'B.md'), 'utf8')).toBe('one\n');
});

test('a journal that is begun anew while a save is under way knows of it', async () => {
  const log = createLog(() => undefined);
  const real = createVault({
    log,
    clock: systemClock,
    trust: { isTrusted: () => true },
    moveToTrash: unlink,
  });
  const data = join(folder, 'data');
  const journals = join(data, 'journals');
  const write: Vault['write'] = async (...given) => {
    await rename(journals, `${journals}-moved`);
    await expect.poll(() => readdir(journals).catch(() => []), patience).toHaveLength(1);
    const written = await real.write(...given);
    cpSync(data, join(folder, 'left'), { recursive: true });
    return written;
  };
  const vault = { ...real, write };
  const notes = createNotes({ vault, dataFolder: data, log, clock: systemClock });
  await writeFile(join(root, 'A.md'), 'one\ntwo\n');
  await vault.open(root);
  const { session } = await notes.hold('A.md');
  session.edit('me', { from: 4, insert: 'alpha ' });
  session.edit('me', { from: 13, insert: '\nbeta' });
  expect(await session.save()).toMatchObject({ kind: 'saved' });
  await writeFile(join(root, 'A.md'), 'one\nomega two\nbeta\n');
  const next = createNotesCore(join(folder, 'left'));
  await next.vault.open(root);
  await next.notes.recover();
  await next.close();
  expect(await readFile(join(root, 'A.md'), 'utf8')).toBe('one\nomega two\nbeta\n');
  await notes.close();
  await real.close();
});

test('a save that may have happened is not believed where another note stands in its place', () => {
  const base = (text: string, hash: string, version: number) => {
    const { doc, ends } = readLines(text);
    return { hash, file: null, doc, ends, ahead: ChangeSet.empty(doc.length), version };
  };
  const known = base('first\nsecond of them\n', 'known', 3);
  const possible = base('first typed\n', 'possible', 4);
  expect(chooseBase([known, possible], { text: 'first\n', hash: 'another' })).toBe(known);
  expect(chooseBase([known, possible], { text: 'first typed\nmore\n', hash: 'edited' })).toBe(possible);
  expect(chooseBase([known, possible], { text: '', hash: 'possible' })).toBe(possible);
});
