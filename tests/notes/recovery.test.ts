import {
  appendFile,
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RecoveredText } from '../../src/contract/recovery';
import { type Clock, createLog, systemClock } from '../../src/core/foundation';
import { createNotes, type Notes, type NotesTrouble } from '../../src/core/notes';
import { createRecovery, type Recovery } from '../../src/core/recovery';
import { createVault, type Vault } from '../../src/core/vault';

let folder: string;
let root: string;
let vault: Vault;
let notes: Notes;
let recovery: Recovery;
let troubles: NotesTrouble[];
let settled: string[];
let isTrusted: boolean;

const log = createLog(() => undefined);
const data = () => join(folder, 'data');
const inKept = (...names: string[]) => join(data(), 'kept', ...names);
const put = (path: string, text: string) => writeFile(join(root, path), text);
const onDisk = (path: string) => readFile(join(root, path), 'utf8');
const journals = async () =>
  (await readdir(join(data(), 'journals')).catch(() => [])).filter((name) => name.includes('.journal'));
const patience = { timeout: 10_000 };

/** Nothing is saved by itself: what is typed is in its journal alone. */
const restless: Clock = {
  now: systemClock.now,
  after: (ms, work) => (ms >= 400 ? () => undefined : systemClock.after(ms, work)),
};

async function start(clock: Clock = systemClock): Promise<void> {
  vault = createVault({
    log,
    clock: systemClock,
    trust: { isTrusted: () => isTrusted },
    moveToTrash: (path) => rm(path, { force: true }),
  });
  await vault.open(root);
  notes = createNotes({ vault, dataFolder: data(), log, clock, onTrouble: (one) => troubles.push(one) });
  recovery = createRecovery({
    vault,
    notes,
    now: systemClock.now,
    onSettled: (place) => settled.push(place),
  });
}

async function stop(): Promise<void> {
  recovery.close();
  await notes.close();
  await vault.close();
}

/** The journals of an app that was killed after this was typed into the note. */
async function dieTyping(
  path: string,
  words: readonly string[],
  meanwhile?: () => Promise<void>,
): Promise<void> {
  await start(restless);
  const { session } = await notes.hold(path);
  for (const word of words) session.edit('window-1', { from: session.text().length, insert: word });
  await meanwhile?.();
  const copies = join(folder, 'copies');
  await mkdir(copies, { recursive: true });
  for (const name of await journals())
    await writeFile(join(copies, name), await readFile(join(data(), 'journals', name)));
  await stop();
  await rm(join(data(), 'journals'), { recursive: true, force: true });
  await rename(copies, join(data(), 'journals'));
}

async function damageJournal(change: (bytes: Buffer) => Buffer): Promise<void> {
  const [name] = await journals();
  const path = join(data(), 'journals', name!);
  await writeFile(path, change(await readFile(path)));
}

const list = () => recovery.list().texts;
function only(): RecoveredText {
  expect(list()).toHaveLength(1);
  return list()[0]!;
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recovery-'));
  root = join(folder, 'vault');
  await mkdir(root);
  await put('Other.md', '');
  troubles = [];
  settled = [];
  isTrusted = true;
});
afterEach(async () => {
  await stop();
  await rm(folder, { recursive: true, force: true });
});

test('a note that another program goes on writing does not hold up the start, and has all in the end', async () => {
  await put('A.md', 'one\n');
  await dieTyping('A.md', ['typed before it died\n']);
  await put('A.md', 'one\n');
  let writing = true;
  let lines = 0;
  const writer = (async () => {
    while (writing) {
      await appendFile(join(root, 'A.md'), `line ${lines++}\n`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  })();
  await start();
  const began = Date.now();
  await notes.recover();
  // It waited for as long as that goes on, or for a minute.

  writing = false;
  await writer;
  expect(Date.now() - began).toBeLessThan(20_000);
  await expect.poll(() => onDisk('A.md'), patience).toContain('typed before it died');
  const text = await onDisk('A.md');
  for (let n = 0; n < lines; n++) expect(text.split(`line ${n}\n`)).toHaveLength(2);
  expect(list()).toEqual([]);
});

test('unsaved text of a note that was deleted while no app ran is listed, read, and comes back as a note', async () => {
  await mkdir(join(root, 'Trips'));
  await put('Trips/Oslo.md', 'ferry\r\n');
  await dieTyping('Trips/Oslo.md', ['call Ada\n']);
  await put('Trips/Oslo.md', 'ferry\r\n');
  await rm(join(root, 'Trips/Oslo.md'));
  await start();
  await notes.recover();
  const text = only();
  expect(text).toMatchObject({
    note: 'Trips/Oslo.md',
    name: 'Oslo',
    reason: 'deleted',
    now: { kind: 'gone' },
    restored: null,
  });
  expect(troubles).toMatchObject([{ kind: 'kept', note: 'Trips/Oslo.md', reason: 'deleted' }]);
  expect(recovery.read(text.id, 'text')).toBe('ferry\r\ncall Ada\r\n');
  expect(await recovery.restoreAsNew(text.id, 'text')).toEqual({ path: 'Trips/Oslo.md' });
  expect(await onDisk('Trips/Oslo.md')).toBe('ferry\r\ncall Ada\r\n');
  expect(only().restored).toMatchObject({ path: 'Trips/Oslo.md' });
  expect(settled).toEqual([text.place]);
  const again = () => recovery.restoreAsNew(text.id, 'text');
  expect(await again(), 'it is there already').toEqual({ path: 'Trips/Oslo.md' });
  // Once that says something else it goes beside it.
  await put('Trips/Oslo.md', 'another day\n');
  expect(await Promise.all([again(), again()])).toEqual(Array(2).fill({ path: 'Trips/Oslo 2.md' }));
  recovery.discard(text.id);
  recovery.discard(text.id);
  expect(list()).toEqual([]);
  expect(await readdir(inKept())).toEqual([]);
});

test('what a note in the trash could not save is kept with the reason, for its owner alone', async () => {
  await put('A.md', 'one\n');
  await start();
  const { session } = await notes.hold('A.md');
  await chmod(join(root, 'A.md'), 0o444);
  session.edit('window-1', { from: 0, insert: 'unsaved ' });
  await vault.trash('A.md');
  const { place, id, now, reason } = only();
  expect([reason, now]).toEqual(['trashed', { kind: 'gone' }]);
  expect(recovery.read(id, 'text')).toBe('unsaved one\n');
  expect((await stat(place)).mode & 0o777).toBe(0o700);
  for (const name of await readdir(place)) expect((await stat(join(place, name))).mode & 0o777).toBe(0o600);
});

test('what was not saved when another note took the name is kept, and the other note is told apart', async () => {
  await put('A.md', 'one\n');
  await start(restless);
  const { session } = await notes.hold('A.md');
  session.edit('window-1', { from: 0, insert: 'unsaved ' });
  await rm(join(root, 'A.md'));
  await put('A.md', 'something else entirely, by another program\n');
  await vault.sweep();
  await expect.poll(() => list().length, patience).toBe(1);
  expect(only()).toMatchObject({ reason: 'replaced', now: { kind: 'another', path: 'A.md' } });
  expect(recovery.read(only().id, 'text')).toBe('unsaved one\n');
});

test('what a window still held of a note that is no more is listed in its vault alone', async () => {
  await put('A.md', 'one\n');
  await start();
  const opened = await notes
    .follow('A.md', null, new AbortController().signal)
    [Symbol.asyncIterator]()
    .next();
  if (opened.done || opened.value.kind !== 'opened') throw new Error('not opened');
  const of = opened.value.vault;
  const first = root;
  await stop();
  root = join(folder, 'elsewhere');
  await mkdir(root);
  await start();
  notes.keep('A.md', 'typed in a window', of);
  expect(list()).toEqual([]);
  expect(recovery.list().others).toEqual([{ vault: basename(first), count: 1 }]);
  await stop();
  root = first;
  await start();
  expect(recovery.read(only().id, 'text')).toBe('typed in a window');
});

test('what a window that knows no vault still held of a note that is no more is listed in every vault, apart from the note of that name', async () => {
  await put('A.md', 'another\n');
  await start();
  notes.keep('A.md', 'typed in a window');
  notes.keep('A.md', 'typed in a window');
  expect(only()).toMatchObject({ reason: 'window', now: { kind: 'another', path: 'A.md' } });
  await stop();
  const first = root;
  root = join(folder, 'elsewhere');
  await mkdir(root);
  await start();
  expect(recovery.read(only().id, 'text')).toBe('typed in a window');
  root = first;
});

test('what stands in its note again is offered no more, and all else that was kept of it is', async () => {
  await put('A.md', 'one\r\ntwo\r\n');
  await put('B.md', '');
  await start();
  notes.keep('A.md', 'one\ntwo\n');
  notes.keep('A.md', 'one\ntwo\nthree\n');
  notes.keep('B.md', 'one\ntwo\n');
  const first = list().find(({ note, parts }) => note === 'A.md' && parts[0]?.bytes === 8);
  recovery.stands('A.md', 'one\r\ntwo\r\n');
  expect(
    list()
      .map(({ note, id }) => [note, recovery.read(id, 'text')])
      .toSorted(),
  ).toEqual([
    ['A.md', 'one\ntwo\nthree\n'],
    ['B.md', 'one\ntwo\n'],
  ]);
  expect(settled).toEqual([first?.place]);
});

test('both whole texts from before a conflict are kept, however often the same one comes', async () => {
  await put('A.md', 'one\ntwo\nthree\n');
  await start();
  const { session } = await notes.hold('A.md');
  session.edit('window-1', { from: 4, to: 7, insert: 'mine' });
  await put('A.md', 'one\ntheirs\nthree\n');
  await session.save();
  await expect.poll(() => list().length, patience).toBe(1);
  const text = only();
  expect(text).toMatchObject({ note: 'A.md', reason: 'conflict', now: { kind: 'there', path: 'A.md' } });
  expect(recovery.read(text.id, 'text')).toBe('one\nmine\nthree\n');
  expect(recovery.read(text.id, 'theirs')).toBe('one\ntheirs\nthree\n');
  expect(await onDisk('A.md')).toContain('mine');
  expect(await onDisk('A.md')).toContain('theirs');

  const { basis, hunks } = await recovery.compare(text.id, 'theirs', 'A.md');
  expect(hunks.length).toBeGreaterThan(0);
  expect(await recovery.restore(text.id, 'theirs', 'A.md', basis, null)).toEqual({ saved: true });
  expect(await onDisk('A.md')).toBe('one\ntheirs\nthree\n');
  expect(session.text()).toBe('one\ntheirs\nthree\n');
  expect(only().restored?.path).toBe('A.md');
});

test('a text of which only some changes were put back is not restored yet', async () => {
  await put('A.md', 'one\ntwo\nthree\nfour\nfive\n');
  await mkdir(inKept(), { recursive: true });
  await writeFile(inKept('A 2026-11-20T08.00.00.md'), 'ONE\ntwo\nthree\nfour\nFIVE\n');
  await start();
  const { id, place } = only();
  const first = await recovery.compare(id, 'text', 'A.md');
  expect(first.hunks).toHaveLength(2);
  expect(await recovery.restore(id, 'text', 'A.md', first.basis, [0])).toEqual({ saved: true });
  expect(await onDisk('A.md')).toBe('ONE\ntwo\nthree\nfour\nfive\n');
  expect(only().restored, 'the rest may still be wanted').toBe(null);
  expect(settled).toEqual([]);
  const { basis } = await recovery.compare(id, 'text', 'A.md');
  expect(await recovery.restore(id, 'text', 'A.md', basis, null)).toEqual({ saved: true });
  expect(await onDisk('A.md')).toBe('ONE\ntwo\nthree\nfour\nFIVE\n');
  expect(only().restored?.path).toBe('A.md');
  expect(settled).toEqual([place]);
});

test('a restore changes nothing where the note says something else by now', async () => {
  await put('A.md', 'one\n');
  await mkdir(inKept(), { recursive: true });
  await writeFile(inKept('A 2026-11-20T08.00.00.md'), 'two\n');
  await start();
  const { session } = await notes.hold('Other.md');
  const { id } = only();
  const { basis } = await recovery.compare(id, 'text', 'Other.md');
  session.edit('window-1', { from: 0, insert: 'typed meanwhile' });
  await expect(recovery.restore(id, 'text', 'Other.md', basis, null)).rejects.toMatchObject({
    code: 'versions.changed',
  });
  expect(session.text()).toBe('typed meanwhile');
  expect(only().restored).toBe(null);
});

test('files of an earlier version, and folders whose facts are damaged, are listed and read', async () => {
  await mkdir(inKept('Broken 2026-11-21T09.30.00'), { recursive: true });
  await writeFile(inKept('Garden 2026-11-20T08.00.00 2.md'), 'beans\n');
  await writeFile(inKept('Broken 2026-11-21T09.30.00', 'about.json'), '[1');
  await writeFile(inKept('Broken 2026-11-21T09.30.00', 'Broken.md'), 'still here\n');
  await start();
  expect(list().map(({ name, reason, at }) => [name, reason, new Date(at).toISOString()])).toEqual([
    ['Broken', 'unknown', '2026-11-21T09:30:00.000Z'],
    ['Garden', 'unknown', '2026-11-20T08:00:00.000Z'],
  ]);
  expect(list().map(({ id }) => recovery.read(id, 'text'))).toEqual(['still here\n', 'beans\n']);
  for (const { id } of list()) await recovery.restoreAsNew(id, 'text');
  expect(list().map(({ name, restored }) => [name, restored?.path])).toEqual([
    ['Broken', 'Broken.md'],
    ['Garden', 'Garden.md'],
  ]);
  for (const { id } of list()) recovery.discard(id);
  expect(await readdir(inKept())).toEqual([]);
});

test('a damaged journal: what is certain is in the note, and all that could be read is listed with the journal', async () => {
  await put('A.md', 'one\n');
  await dieTyping('A.md', ['first\n', 'second\n', 'third\n', 'fourth\n']);
  await put('A.md', 'one\n');
  await damageJournal((bytes) => {
    const at = bytes.indexOf('second');
    bytes.fill(0, at - 60, at + 3);
    return bytes;
  });
  await start();
  expect(await notes.recover()).toEqual(['A.md']);
  expect(await onDisk('A.md')).toBe('one\nfirst\n');
  const text = only();
  expect(text).toMatchObject({ note: 'A.md', reason: 'damaged', now: { kind: 'there' } });
  expect(recovery.read(text.id, 'text')).toBe('one\nfirst\n');
  expect(recovery.read(text.id, 'after')).toContain('third\nfourth');
  expect(troubles).toMatchObject([{ kind: 'journal', setAside: text.place }]);
  expect((await readdir(text.place)).some((name) => name.endsWith('.journal.damaged'))).toBe(true);
  await stop();
  troubles = [];
  await start();
  await notes.recover();
  expect(troubles).toEqual([]);
  expect(list()).toHaveLength(1);
});

test('a damaged journal whose note another program changed meanwhile leaves the note as it is', async () => {
  await put('A.md', 'one\n');
  await dieTyping('A.md', ['first\n', 'second\n']);
  await put('A.md', 'one, by another program\n');
  await damageJournal((bytes) => {
    bytes.fill(0, bytes.indexOf('second') - 40, bytes.indexOf('second'));
    return bytes;
  });
  await start();
  await notes.recover();
  expect(await onDisk('A.md')).toBe('one, by another program\n');
  expect(recovery.read(only().id, 'text')).toBe('one\nfirst\n');
});

test('a journal that an earlier version set aside as damaged is read again', async () => {
  await put('A.md', 'one\n');
  await dieTyping('A.md', ['first\n']);
  await put('A.md', 'one\n');
  const [name] = await journals();
  await damageJournal((bytes) => bytes.fill(0, 0, 20));
  await rename(join(data(), 'journals', name!), join(data(), 'journals', `${name}.damaged`));
  await start();
  await notes.recover();
  const text = only();
  expect(text).toMatchObject({ note: 'A.md', reason: 'damaged' });
  expect(recovery.read(text.id, 'text')).toBe('one\nfirst\n');
  expect(await journals()).toEqual([]);
});

test('a journal that waits is listed, and restoring it leaves nothing to be put in a second time', async () => {
  await put('A.md', 'one\n');
  await dieTyping('A.md', ['first\n']);
  await put('A.md', 'one\n');
  await rename(join(root, 'A.md'), join(folder, 'A.md'));
  await rename(join(root, 'Other.md'), join(folder, 'Other.md'));
  await start();
  await notes.recover();
  const text = only();
  expect(text).toMatchObject({ note: 'A.md', reason: 'waiting', now: { kind: 'gone' } });
  expect(recovery.read(text.id, 'text')).toBe('one\nfirst\n');
  const asNew = () => recovery.restoreAsNew(text.id, 'text');
  expect(await Promise.all([asNew(), asNew()])).toEqual(Array(2).fill({ path: 'A.md' }));
  expect(await journals()).toEqual([]);
  await stop();
  await start();
  expect(await notes.recover()).toEqual([]);
  expect(await onDisk('A.md')).toBe('one\nfirst\n');
});

test('of another vault nothing is told but its name and how many texts', async () => {
  await put('A.md', 'one\n');
  await dieTyping('A.md', ['secret\n']);
  await rm(join(root, 'A.md'));
  await start();
  await notes.recover();
  expect(list()).toHaveLength(1);
  await stop();
  const other = join(folder, 'elsewhere');
  await mkdir(other);
  await writeFile(join(other, 'B.md'), '');
  const first = root;
  root = other;
  await start();
  expect(recovery.list()).toEqual({ texts: [], others: [{ vault: 'vault', count: 1 }] });
  root = first;
});

test.each([
  ['is given nothing, but what was of the former can still be read', false, 'one\n', { texts: 2, others: 0 }],
  [
    'that is trusted is taken for it, as after a restore from a backup',
    true,
    'one\nsecret\n',
    { texts: 1, others: 0 },
  ],
])('another folder at the path of a vault %s', async (_does, trusted, note, told) => {
  await put('A.md', 'one\n');
  await put('Gone.md', 'gone\n');
  await dieTyping('Gone.md', ['typed and kept\n']);
  await rm(join(root, 'Gone.md'));
  await start();
  await notes.recover();
  await stop();
  await dieTyping('A.md', ['secret\n']);
  await rename(root, join(folder, 'moved'));
  await mkdir(root);
  await put('A.md', 'one\n');
  isTrusted = trusted;
  await start();
  await notes.recover();
  expect(await onDisk('A.md')).toBe(note);
  const { texts, others } = recovery.list();
  expect({ texts: texts.length, others: others.reduce((sum, { count }) => sum + count, 0) }).toEqual(told);
  if (trusted) return;
  await stop();
  await rm(root, { recursive: true });
  await rename(join(folder, 'moved'), root);
  await start();
  await notes.recover();
  expect(await onDisk('A.md')).toBe('one\nsecret\n');
  expect(recovery.list().texts).toHaveLength(1);
});

test('a journal with a damaged beginning is still the former vault’s where another folder is at its path', async () => {
  await put('A.md', 'one\n');
  await dieTyping('A.md', ['secret\n']);
  const [name = ''] = await journals();
  const journal = join(data(), 'journals', name);
  const bytes = await readFile(journal);
  bytes.fill('x', bytes.indexOf('"version":'), bytes.indexOf('"version":') + 1);
  await writeFile(journal, bytes);
  await rename(root, join(folder, 'moved'));
  await mkdir(root);
  await put('A.md', 'one\n');
  isTrusted = false;
  await start();
  await notes.recover();
  expect(await onDisk('A.md')).toBe('one\n');
  expect(list()).toEqual([]);
  await stop();
  await rm(root, { recursive: true });
  await rename(join(folder, 'moved'), root);
  await start();
  await notes.recover();
  expect(await onDisk('A.md')).toBe('one\nsecret\n');
});

test('a kept text whose path leads in a circle, or is too long, is listed beside the others', async () => {
  await put('A.md', 'one\n');
  await start();
  notes.keep('Folder/N.md', 'first');
  notes.keep(`${'x'.repeat(300)}.md`, 'second');
  await symlink('Folder', join(root, 'Folder'));
  expect(list().map(({ now }) => now.kind)).toEqual(['gone', 'gone']);
});

test('the app follows where a note of a recovered text is moved', async () => {
  await put('A.md', 'one\ntwo\n');
  await start();
  const { session } = await notes.hold('A.md');
  session.edit('window-1', { from: 0, to: 3, insert: 'mine' });
  await put('A.md', 'theirs\ntwo\n');
  await session.save();
  await expect.poll(() => list().length, patience).toBe(1);
  await vault.rename('A.md', 'Folder/B.md');
  expect(only()).toMatchObject({ note: 'Folder/B.md', now: { kind: 'there', path: 'Folder/B.md' } });
});

test('the newest texts of conflicts stay, and it is said when the oldest make room', async () => {
  await start();
  const about = { note: 'A.md', vault: { root, id: vault.id() }, reason: 'conflict', file: null } as const;
  for (let at = 1; at <= 3; at++)
    notes.recovery.add({ ...about, at, texts: { text: 'x'.repeat(30_000_000 + at), theirs: '' } });
  notes.recovery.add({ ...about, reason: 'trashed', at: 1, texts: { text: 'never by itself' } });
  expect(list().map(({ reason, at }) => [reason, at])).toEqual([
    ['conflict', 3],
    ['conflict', 2],
    ['trashed', 1],
  ]);
  expect(troubles).toEqual([{ kind: 'conflicts-dropped', count: 1 }]);
});

test('what could not be taken up at the start is, before its note is opened', async () => {
  await put('Plan.md', 'first\n');
  await dieTyping('Plan.md', ['second\n']);
  await put('Plan.md', 'first\n');
  await start();
  const [read, readRaw] = [vault.read, vault.readRaw];
  const busy = async () => {
    throw Object.assign(new Error('EMFILE: realpath'), { code: 'EMFILE' });
  };
  Object.assign(vault, { read: busy, readRaw: busy });
  expect(await notes.recover()).toEqual([]);
  expect(troubles).toMatchObject([{ kind: 'journal', setAside: null }]);
  Object.assign(vault, { read, readRaw });
  const held = await Promise.all([notes.hold('Plan.md'), notes.hold('Plan.md')]);
  expect(held.map(({ session }) => session.text())).toEqual(Array(2).fill('first\nsecond\n'));
  held[0].session.edit('window-2', { from: 0, insert: 'zeroth\n' });
  await expect.poll(() => onDisk('Plan.md'), patience).toBe('zeroth\nfirst\nsecond\n');
  expect(list()).toEqual([]);
});
