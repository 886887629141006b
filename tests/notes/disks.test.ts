import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { VaultState } from '../../src/contract/vault';
import { type Mounts, mounts } from '../support/mounts';
import { createNotesCore } from './core';

const patience = { timeout: 20_000 };
let disks: Mounts | null;
let folder: string;
/** The disk itself, and where the vault on it is opened. */
let disk: string;
let root: string;
let core: ReturnType<typeof createNotesCore>;

beforeAll(async () => {
  const probe = await mkdtemp(join(tmpdir(), 'probe-'));
  disks = await mounts(probe);
  await rm(probe, { recursive: true });
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'disks-'));
  [disk, root] = [join(folder, 'disk'), join(folder, 'vault')];
  await mkdir(disk);
  await mkdir(root);
  core = createNotesCore(join(folder, 'data'));
});
afterEach(async () => {
  await core.close();
  await disks?.close();
  await rm(folder, { recursive: true, force: true });
});
afterAll(() => disks?.close());

const state = (): VaultState => core.vault.state.get();
const lost = (instead: 'nothing' | 'another') =>
  expect.poll(state, patience).toMatchObject({ kind: 'lost', instead });
const back = () => expect.poll(() => state().kind, patience).toBe('open');
const notesOn = async (place: string) => (await readdir(place, { recursive: true })).sort();
const textOf = (path: string) => readFile(path, 'utf8');

/** Two notes on a disk of their own. */
async function openOnDisk(): Promise<Mounts | null> {
  if (!disks) return null;
  await disks.disk(disk);
  await writeFile(join(disk, 'A.md'), 'one\n');
  await writeFile(join(disk, 'B.md'), 'other\n');
  await disks.bind(disk, root);
  await core.vault.open(root);
  return disks;
}

/** An open note with a word that is not on disk yet. */
async function openTyped() {
  const { session, release } = await core.notes.hold('A.md');
  session.edit('me', { from: 0, insert: 'typed ' });
  return { session, release };
}

test('a disk that is pulled deletes nothing, and what is typed meanwhile is saved when it is back', async ({
  skip,
}) => {
  const disks = await openOnDisk();
  if (!disks) return skip();
  const removed: string[] = [];
  core.vault.onDiskChange((change) => removed.push(...change.removed));
  const { session } = await openTyped();
  await disks.pull(root);
  await lost('nothing');
  session.edit('me', { from: 0, insert: 'more ' });
  expect((await session.save()).kind).toBe('failed');
  for (const work of [
    () => core.vault.create('New.md', 'x'),
    () => core.vault.createFolder('New'),
    () => core.vault.write('A.md', 'x', null),
    () => core.vault.rename('B.md', 'C.md'),
    () => core.vault.trash('B.md'),
    () => core.vault.read('B.md'),
  ])
    await expect(work()).rejects.toMatchObject({ code: 'vault.lost' });
  expect(await notesOn(root)).toEqual([]);
  expect(core.vault.entries().map(({ path }) => path)).toEqual(['A.md', 'B.md']);
  await disks.bind(disk, root);
  await back();
  await expect.poll(() => textOf(join(disk, 'A.md')), patience).toBe('more typed one\n');
  expect(session.saveState().kind).toBe('saved');
  expect(removed).toEqual([]);
  await writeFile(join(disk, 'Later.md'), '');
  await expect.poll(() => core.vault.entries().length, patience).toBe(3);
});

test('another disk at the same place is not taken for the vault, whatever notes are on it', async ({
  skip,
}) => {
  const disks = await openOnDisk();
  if (!disks) return skip();
  const { session } = await openTyped();
  // No event tells of it: the watched folder is still there, below.
  const another = join(folder, 'another');
  await mkdir(another);
  await writeFile(join(another, 'A.md'), 'theirs, with other words\n');
  await disks.bind(another, root);
  expect((await session.save()).kind).toBe('failed');
  await lost('another');
  expect(await notesOn(another)).toEqual(['A.md']);
  expect(await textOf(join(another, 'A.md'))).toBe('theirs, with other words\n');
  await disks.pull(root);
  await back();
  await expect.poll(() => textOf(join(disk, 'A.md')), patience).toBe('typed one\n');
  expect(await textOf(join(another, 'A.md'))).toBe('theirs, with other words\n');
});

test('a disk that was mounted over is noticed though nobody writes', async ({ skip }) => {
  const disks = await openOnDisk();
  if (!disks) return skip();
  await disks.disk(root);
  await lost('nothing');
  await disks.pull(root);
  await back();
});

test('a disk is never written to where it was, whenever it is pulled', async ({ skip }) => {
  const disks = await openOnDisk();
  if (!disks) return skip();
  for (let round = 0; round < (process.env.TORTURE ? 100 : 6); round++) {
    const written: Promise<unknown>[] = [];
    for (let note = 0; note < 6; note++) {
      written.push(
        core.vault.create(`new ${round}/${note}/N.md`, 'x'.repeat(20_000 * note)).catch(() => null),
      );
      written.push(core.vault.createFolder(`made ${round} ${note}`).catch(() => null));
      for (let turn = 0; turn < round * 4; turn++) await new Promise(setImmediate);
    }
    await disks.pull(root);
    await Promise.all(written);
    expect(await notesOn(root)).toEqual([]);
    await disks.bind(disk, root);
    await back();
  }
}, 600_000);

test('a disk can be ejected while its vault is open', async ({ skip }) => {
  const disks = await openOnDisk();
  if (!disks) return skip();
  const { session } = await openTyped();
  await session.save();
  await core.projects.check({});
  // The file that was replaced is watched for some seconds: somebody may still write into it.
  await expect.poll(() => disks.eject(root).then(() => 'ejected', String), patience).toBe('ejected');
  await disks.eject(disk);
  await lost('nothing');
});

test('a disk that becomes read-only locks its notes, and opens them again', async ({ skip }) => {
  const disks = await openOnDisk();
  if (!disks) return skip();
  const { session, release } = await core.notes.hold('A.md');
  await disks.readOnly(root, true);
  await core.vault.lookAround();
  await core.vault.sweep();
  session.edit('me', { from: 0, insert: 'typed ' });
  expect((await session.save()).kind).toBe('read-only');
  await disks.readOnly(root, false);
  await expect.poll(() => textOf(join(disk, 'A.md')), patience).toBe('typed one\n');
  release();
});

async function openInFolder() {
  await writeFile(join(root, 'A.md'), 'one\n');
  await writeFile(join(root, 'B.md'), 'other\n');
  await core.vault.open(root);
  return openTyped();
}

test('a vault that is deleted is gone, and what is typed is kept for when it is restored', async () => {
  const { session } = await openInFolder();
  await session.save();
  await rename(root, join(folder, 'backup'));
  session.edit('me', { from: 0, insert: 'more ' });
  await lost('nothing');
  expect(await readdir(folder)).not.toContain('vault');
  await rename(join(folder, 'backup'), root);
  await expect.poll(() => textOf(join(root, 'A.md')), patience).toBe('more typed one\n');
});

test('a folder that is moved is said to be where it is, and what was not saved is found there', async () => {
  const { session } = await openInFolder();
  await rename(root, join(folder, 'elsewhere'));
  await mkdir(root);
  await writeFile(join(root, 'A.md'), 'somebody else’s\n');
  await expect
    .poll(state, patience)
    .toMatchObject({ kind: 'lost', instead: 'another', movedTo: join(folder, 'elsewhere') });
  expect((await session.save()).kind).toBe('failed');
  await core.notes.leaveVault(() => core.vault.open(join(folder, 'elsewhere')));
  expect(await core.notes.recover()).toEqual(['A.md']);
  expect(await textOf(join(folder, 'elsewhere', 'A.md'))).toBe('typed one\n');
  expect(await textOf(join(root, 'A.md'))).toBe('somebody else’s\n');
});

test('what was not saved waits for its vault while another one is opened at its place', async () => {
  await openInFolder();
  await rename(root, join(folder, 'elsewhere'));
  await mkdir(root);
  await lost('nothing');
  await writeFile(join(root, 'Z.md'), 'somebody else’s\n');
  await core.notes.leaveVault(() => core.vault.open(root));
  expect(await core.notes.recover()).toEqual([]);
  expect(await notesOn(root)).toEqual(['Z.md']);
  await core.notes.leaveVault(() => core.vault.open(join(folder, 'elsewhere')));
  expect(await core.notes.recover()).toEqual(['A.md']);
  expect(await textOf(join(folder, 'elsewhere', 'A.md'))).toBe('typed one\n');
});

test('a vault whose disk numbers its folders anew is known by its notes', async () => {
  const { session } = await openInFolder();
  await session.save();
  await rename(root, join(folder, 'elsewhere'));
  await lost('nothing');
  await cp(join(folder, 'elsewhere'), root, { recursive: true, preserveTimestamps: true });
  session.edit('me', { from: 0, insert: 'more ' });
  await back();
  await expect.poll(() => textOf(join(root, 'A.md')), patience).toBe('more typed one\n');
});
