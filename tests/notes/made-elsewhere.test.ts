import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Clock, createLog, systemClock } from '../../src/core/foundation';
import { createNotes, type Notes } from '../../src/core/notes';
import { createVault, type Vault } from '../../src/core/vault';

let folder: string;
let root: string;
let vault: Vault;
let notes: Notes;
/** Milliseconds that have passed without anybody waiting for them. */
let skipped: number;

const log = createLog(() => undefined);
const clock: Clock = { now: () => systemClock.now() + skipped, after: systemClock.after };
const onDisk = (path: string) => readFile(join(root, path), 'utf8');
const put = (path: string, text: string) => writeFile(join(root, path), text);
const remove = (path: string) => unlink(join(root, path));
const patience = { timeout: 15_000 };
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** As long as it takes to follow what is to be followed. */
const settled = () => pause(1_000);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'elsewhere-'));
  root = join(folder, 'vault');
  skipped = 0;
  await mkdir(root);
  vault = createVault({
    log,
    clock,
    trust: { isTrusted: () => true },
    moveToTrash: (path) => rm(path, { force: true }),
  });
  notes = createNotes({
    vault,
    dataFolder: join(folder, 'data'),
    log,
    clock,
    whereNow: async (_text, file) => (file === null ? null : vault.whereIs(file)),
  });
});
afterEach(async () => {
  await notes.close();
  await vault.close();
  await rm(folder, { recursive: true, force: true });
});

/** An open note with unsaved words at its end, which is deleted then. */
async function deletedNote(text: string) {
  await put('A.md', text);
  await vault.open(root);
  const { session } = await notes.hold('A.md');
  await session.save();
  await remove('A.md');
  await expect.poll(() => session.saveState().kind, patience).toBe('deleted');
  session.edit('window-1', { from: session.text().length, insert: 'unsaved\n' });
  return session;
}

const withId = (id: string, words: string) => `---\nid: ${id}\n---\n${words}\n`;

test.each([
  ['the same text, at once', 'one\n', 'one\n', 0],
  ['the same text, after nine seconds', 'one\n', 'one\n', 9_000],
  ['the same id', withId('n1', 'one'), withId('n1', 'another'), 3_000],
])('an open note that is deleted and made elsewhere goes on there: %s', async (_, before, after, ms) => {
  const session = await deletedNote(before);
  skipped += ms;
  await mkdir(join(root, 'Deep'));
  await put('Deep/B.md', after);
  await expect.poll(() => session.path, patience).toBe('Deep/B.md');
  await expect.poll(() => onDisk('Deep/B.md'), patience).toBe(`${after}unsaved\n`);
  expect(notes.opened('Deep/B.md')?.sessionId).toBe(session.sessionId);
  expect(await readdir(root)).toEqual(['Deep']);
});

test('it goes on there also where the file is filled only later', async () => {
  const session = await deletedNote('one\ntwo\n');
  await put('B.md', '');
  await pause(400);
  await put('B.md', 'one\n');
  await pause(400);
  await put('B.md', 'one\ntwo\n');
  await expect.poll(() => onDisk('B.md'), patience).toBe('one\ntwo\nunsaved\n');
  expect(session.path).toBe('B.md');
});

test.each<[string, string, () => Promise<unknown>]>([
  ['two notes of its text', 'one\n', () => Promise.all([put('B.md', 'one\n'), put('C.md', 'one\n')])],
  [
    'two notes of its id',
    withId('n1', 'one'),
    () => Promise.all([put('B.md', withId('n1', 'b')), put('C.md', withId('n1', 'c'))]),
  ],
  ['a note of another text', 'one\n', () => put('B.md', 'one more\n')],
  ['a note of another id', withId('n1', 'one'), () => put('B.md', withId('n2', 'one'))],
  ['a blank note, as it was', '\n', () => put('B.md', '\n')],
  ['one made in the app', 'one\n', () => vault.create('B.md', 'one\n')],
  [
    'one made much later',
    'one\n',
    () => {
      skipped += 12_000;
      return put('B.md', 'one\n');
    },
  ],
])('an open note that is deleted is not followed to %s', async (_, text, make) => {
  const session = await deletedNote(text);
  await make();
  await settled();
  expect(session.path).toBe('A.md');
  expect(session.saveState().kind).toBe('deleted');
});

test('an open note is not followed to a copy that was made while it stood', async () => {
  await put('A.md', 'one\n');
  await vault.open(root);
  const { session } = await notes.hold('A.md');
  await copyFile(join(root, 'A.md'), join(root, 'B.md'));
  await settled();
  expect(session.path).toBe('A.md');
  await remove('A.md');
  await expect.poll(() => session.saveState().kind, patience).toBe('deleted');
  session.edit('window-1', { from: 0, insert: 'unsaved ' });
  await put('C.md', 'another\n');
  await settled();
  expect([session.path, await onDisk('B.md')]).toEqual(['A.md', 'one\n']);
});

test('a note that the person deleted is not followed', async () => {
  await put('A.md', 'one\n');
  await vault.open(root);
  const { session } = await notes.hold('A.md');
  await vault.trash('A.md');
  await put('B.md', 'one\n');
  await settled();
  expect(notes.opened('B.md')).toBeUndefined();
  expect(() => session.edit('window-1', { from: 0, insert: 'x' })).toThrow();
});
