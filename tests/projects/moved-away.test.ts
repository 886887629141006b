import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createNotesCore } from '../notes/core';
import { type ServedVault, serveVault } from '../vault-server/serve-vault';

const open = 'Projects/tasks/T-001 Sow.md';
const archived = 'Projects/archive/tasks/T-001 Sow.md';
const patience = { timeout: 20_000 };

let folder: string;
let root: string;
let app: ReturnType<typeof createNotesCore>;
let server: ServedVault;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'moved-'));
  root = join(folder, 'vault');
  await mkdir(join(root, 'Projects/tasks'), { recursive: true });
  await writeFile(join(root, open), '---\nid: T-001\ntype: task\ntitle: Sow\n---\n\nFirst line.\n');
  app = createNotesCore(join(folder, 'data'));
  await app.vault.open(root);
  server = await serveVault(root);
});
afterEach(async () => {
  await server.close();
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const archive = async (isArchived = true) =>
  expect(await server.ask('update_entity', { id: 'T-001', data: { archived: isArchived } })).toContain(
    '"T-001"',
  );
const read = (path: string) => readFile(join(root, path), 'utf8');
/** Every note of the vault that has the id. */
async function bearers(): Promise<string[]> {
  const all = await readdir(root, { recursive: true });
  return all.filter((path) => path.includes('T-001') && path.endsWith('.md')).sort();
}

test('words that are typed while another program archives the note are saved where it is now', async () => {
  const { session, release } = await app.notes.hold(open);
  session.edit('me', { from: session.text().length, insert: 'Unsaved words.\n' });
  await archive();
  await expect.poll(() => session.path, patience).toBe(archived);
  session.edit('me', { from: session.text().length, insert: 'And more.\n' });
  expect(await session.save()).toMatchObject({ kind: 'saved' });
  expect(await read(archived)).toMatch(/archived: true[\s\S]*First line\.\nUnsaved words\.\nAnd more\.\n$/);
  expect(await bearers()).toEqual([archived]);
  expect(app.notes.opened(archived)).toBe(session);
  expect(app.notes.opened(open)).toBeUndefined();
  expect(await app.projects.check({})).toEqual([]);

  await archive(false);
  await expect.poll(() => session.path, patience).toBe(open);
  session.edit('me', { from: session.text().length, insert: 'Back.\n' });
  await session.save();
  expect(await read(open)).toContain('Back.');
  expect(await bearers()).toEqual([open]);
  release();
});

test('a window that follows the note hears of its new path', async () => {
  const leaving = new AbortController();
  const paths: string[] = [];
  const following = (async () => {
    for await (const event of app.notes.follow(open, null, leaving.signal)) {
      if (event.kind === 'opened') await archive();
      if (event.kind !== 'renamed') continue;
      paths.push(event.path);
      leaving.abort();
    }
  })();
  await following;
  expect(paths).toEqual([archived]);
});

test('a note that comes up at its new place later is followed, too, and writing it again makes no second one', async () => {
  const { session, release } = await app.notes.hold(open);
  session.edit('me', { from: session.text().length, insert: 'Unsaved words.\n' });
  const elsewhere = join(folder, 'away.md');
  await rename(join(root, open), elsewhere);
  await expect.poll(() => session.saveState().kind, patience).toBe('deleted');
  await rename(elsewhere, join(root, 'Moved.md'));
  expect(await app.notes.save(open)).toMatchObject({ kind: 'saved' });
  expect(session.path).toBe('Moved.md');
  expect(await read('Moved.md')).toContain('Unsaved words.');
  expect(await bearers()).toEqual([]);
  release();
});

test('where the note is open by itself at its other place nothing is written twice, and that place is said', async () => {
  await writeFile(join(root, 'Copy.md'), await read(open));
  const other = await app.notes.hold('Copy.md');
  const { session, release } = await app.notes.hold(open);
  session.edit('me', { from: session.text().length, insert: 'Unsaved words.\n' });
  await rm(join(root, open));
  const isThere = { kind: 'deleted', movedTo: 'Copy.md' };
  await expect.poll(() => session.saveState(), patience).toEqual(isThere);
  expect(await app.notes.save(open)).toEqual(isThere);
  expect(await bearers()).toEqual([]);
  expect(session.text()).toContain('Unsaved words.');
  other.release();
  release();
});

test('words that an app had not saved when it died are found where the note was archived meanwhile', async () => {
  const { session } = await app.notes.hold(open);
  session.edit('me', { from: session.text().length, insert: 'Unsaved words.\n' });
  // It dies: its journal stays, and the disk is not written any more.
  const dead = app;
  await rename(join(root, open), join(folder, 'away.md'));
  await expect.poll(() => session.saveState().kind, patience).toBe('deleted');
  await dead.close();
  await writeFile(join(root, open), await readFile(join(folder, 'away.md')));
  await archive();
  app = createNotesCore(join(folder, 'data'));
  await app.vault.open(root);
  expect(await app.notes.recover()).toEqual([archived]);
  expect(await read(archived)).toContain('Unsaved words.');
  expect(await bearers()).toEqual([archived]);
});

test('a note of no project that is deleted stays deleted', async () => {
  await writeFile(join(root, 'Plain.md'), 'A text.\n');
  const { session, release } = await app.notes.hold('Plain.md');
  await rm(join(root, 'Plain.md'));
  await expect.poll(() => session.saveState(), patience).toEqual({ kind: 'deleted' });
  expect(await app.notes.save('Plain.md')).toMatchObject({ kind: 'saved' });
  expect(await read('Plain.md')).toBe('A text.\n');
  release();
});

test('a note without an id is followed where another program moves its file, and no copy of it is', async () => {
  await mkdir(join(root, 'Ideas'));
  await writeFile(join(root, 'Plain.md'), 'Plain words.\n');
  await writeFile(join(root, 'Ideas/Copy.md'), 'Plain words.\n');
  await app.vault.sweep();
  const { session, release } = await app.notes.hold('Plain.md');
  session.edit('me', { from: session.text().length, insert: 'Unsaved words.\n' });
  expect(await app.notes.save('Plain.md')).toMatchObject({ kind: 'saved' });
  await rename(join(root, 'Plain.md'), join(root, 'Ideas/Moved.md'));
  await expect.poll(() => session.path, patience).toBe('Ideas/Moved.md');
  session.edit('me', { from: session.text().length, insert: 'And more.\n' });
  await session.save();
  expect(await read('Ideas/Moved.md')).toBe('Plain words.\nUnsaved words.\nAnd more.\n');
  expect(await read('Ideas/Copy.md')).toBe('Plain words.\n');
  await rm(join(root, 'Ideas/Moved.md'));
  await expect.poll(() => session.saveState(), patience).toEqual({ kind: 'deleted' });
  release();
});
