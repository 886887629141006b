import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChangeSet } from '@codemirror/state';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { NoteEvent, NoteUpdate, SeenState } from '../../src/contract/notes';
import { type Clock, createLog, systemClock } from '../../src/core/foundation';
import { createNotes, type Notes } from '../../src/core/notes';
import { createVault, type Vault } from '../../src/core/vault';

let folder: string;
let root: string;
let vault: Vault;
let notes: Notes;
/** Ends the time that a session stays open without anybody. */
let lingerEnds: (() => void)[];

const log = createLog(() => undefined);
const data = () => join(folder, 'data');
const endedFolder = () => join(data(), 'ended-sessions');
const ended = () => readdir(endedFolder()).catch(() => []);
const put = (path: string, text: string) => writeFile(join(root, path), text);
const onDisk = (path: string) => readFile(join(root, path), 'utf8');

const clock: Clock = {
  now: systemClock.now,
  after(ms, work) {
    if (ms < 60_000) return systemClock.after(ms, work);
    lingerEnds.push(work);
    return () => {
      lingerEnds = lingerEnds.filter((other) => other !== work);
    };
  },
};

async function start(clockOfNotes = clock): Promise<void> {
  vault = createVault({ log, clock, trust: { isTrusted: () => true }, moveToTrash: unlink });
  await vault.open(root);
  notes = createNotes({ vault, dataFolder: data(), log, clock: clockOfNotes });
}

async function stop(): Promise<void> {
  await notes.close();
  await vault.close();
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ended-'));
  root = join(folder, 'vault');
  await mkdir(root);
  await put('Other.md', 'a vault is never without a note');
  lingerEnds = [];
  await start();
});
afterEach(async () => {
  await stop();
  await rm(folder, { recursive: true, force: true });
});

/** What a window is told first that comes with this. */
async function comeBack(path: string, seen: SeenState | null): Promise<NoteEvent> {
  const ending = new AbortController();
  for await (const event of notes.follow(path, seen, ending.signal)) {
    ending.abort();
    return event;
  }
  throw new Error('Nothing was told.');
}

/** A window opens the note; what it saw. */
async function open(path: string): Promise<SeenState> {
  const event = await comeBack(path, null);
  if (event.kind !== 'opened') throw new Error(event.kind);
  return event;
}

const inserting = (length: number, word: string): NoteUpdate => ({
  clientId: 'window-1',
  changes: ChangeSet.of({ from: length, insert: word }, length).toJSON(),
});

test('a window that comes back after its session ended in order is told what that still took', async () => {
  await put('A.md', 'one ');
  const seen = await open('A.md');
  const updates = [inserting(4, 'two '), inserting(8, 'three')];
  await notes.push('A.md', seen.sessionId, seen.version, updates);
  await stop();
  expect(await onDisk('A.md')).toBe('one two three');
  await put('A.md', 'one two three, and two three of another program');
  await start();
  const { version, sessionId } = seen;
  expect(await comeBack('A.md', seen)).toMatchObject({ kind: 'opened', former: updates });
  expect(await comeBack('A.md', { sessionId, version: version + 1 })).toMatchObject({ former: [updates[1]] });
  expect(await comeBack('A.md', { sessionId, version: version + 2 })).toMatchObject({ former: [] });
  const beyond = await comeBack('A.md', { sessionId, version: version + 3 });
  expect(beyond).toMatchObject({ kind: 'opened', lostAfter: version + 2 });
  expect(beyond).not.toHaveProperty('former');
  expect(await comeBack('A.md', null)).not.toHaveProperty('former');
});

test('so it is where nothing had arrived, and where nobody came back for a while', async () => {
  await put('A.md', 'one ');
  const seen = await open('A.md');
  for (const end of lingerEnds) end();
  await expect.poll(() => notes.opened('A.md')).toBeUndefined();
  await expect.poll(ended).toHaveLength(1);
  expect(await comeBack('A.md', seen)).toMatchObject({ kind: 'opened', former: [] });
});

test('of a note that was trashed it is told, too', async () => {
  await put('A.md', 'one ');
  const seen = await open('A.md');
  const update = inserting(4, 'two');
  await notes.push('A.md', seen.sessionId, seen.version, [update]);
  await vault.trash('A.md');
  await put('A.md', 'another one');
  await vault.sweep();
  expect(await comeBack('A.md', seen)).toMatchObject({ another: true, former: [update] });
});

/** The journals of an app that was killed after this was typed. */
async function dieTyping(seen: SeenState, path: string, update: NoteUpdate): Promise<void> {
  await notes.push(path, seen.sessionId, seen.version, [update]);
  await cp(join(data(), 'journals'), join(folder, 'copies'), { recursive: true });
  await stop();
  await rm(data(), { recursive: true });
  await mkdir(data());
  await rename(join(folder, 'copies'), join(data(), 'journals'));
}

test('a session that was taken up after a kill, and ended before its window came back, is one of them', async () => {
  await put('A.md', 'one ');
  const seen = await open('A.md');
  const update = inserting(4, 'two');
  await dieTyping(seen, 'A.md', update);
  await start();
  expect(await notes.recover()).toEqual(['A.md']);
  for (const end of lingerEnds) end();
  await expect.poll(() => notes.opened('A.md')).toBeUndefined();
  expect(await comeBack('A.md', seen)).toMatchObject({ kind: 'opened', former: [update] });
});

test('so is one that could not be taken up, since another note has its place', async () => {
  await put('A.md', 'one ');
  const seen = await open('A.md');
  const update = inserting(4, 'two');
  await dieTyping(seen, 'A.md', update);
  await rm(join(root, 'A.md'));
  await put('A.md', 'QUITE 12345 DIFFERENT');
  await start();
  expect(await notes.recover()).toEqual([]);
  expect(notes.recovery.list()).toHaveLength(1);
  expect(await comeBack('A.md', seen)).toMatchObject({ kind: 'opened', former: [update] });
});

test('what a window saw beyond the end of a journal is lost, whatever the session became since', async () => {
  await put('A.md', 'one ');
  const before = await open('A.md');
  const { sessionId, version, epoch } = before;
  const first = inserting(4, 'two ');
  await notes.push('A.md', sessionId, version, [first], epoch);
  await cp(join(data(), 'journals'), join(folder, 'copies'), { recursive: true });
  await notes.push('A.md', sessionId, version + 1, [inserting(8, 'three ')], epoch);
  await stop();
  await put('A.md', 'one ');
  await rm(data(), { recursive: true });
  await mkdir(data());
  await rename(join(folder, 'copies'), join(data(), 'journals'));
  await start();
  expect(await notes.recover()).toEqual(['A.md']);

  const lost = { sessionId, version: version + 2, epoch };
  const kept = { sessionId, version: version + 1, epoch };
  expect(await comeBack('A.md', lost)).toMatchObject({ text: 'one two ', lostAfter: version + 1 });
  const back = await comeBack('A.md', kept);
  expect(back).toMatchObject({ kind: 'rejoined', updates: [] });
  if (back.kind !== 'rejoined') throw new Error(back.kind);
  const others = [inserting(8, 'of another window '), inserting(26, 'and more ')];
  await notes.push('A.md', sessionId, version + 1, others, back.epoch);

  // By its number alone it would be within the session again.
  expect(await comeBack('A.md', lost)).toMatchObject({ kind: 'opened', lostAfter: version + 1 });
  await expect(
    notes.push('A.md', sessionId, version + 2, [inserting(14, 'four')], epoch),
  ).rejects.toMatchObject({ code: 'note.session-gone' });
  await stop();
  await start();
  expect(await comeBack('A.md', lost)).toMatchObject({ kind: 'opened', lostAfter: version + 1 });
  expect(await comeBack('A.md', kept)).toHaveProperty('former');
});

test('of what no window followed nothing is kept', async () => {
  await put('A.md', 'one ');
  const { session, release } = await notes.hold('A.md');
  session.edit('run-1', { from: 0, insert: 'zero ' });
  release();
  await stop();
  expect(await ended()).toEqual([]);
  await start();
});

test.each<[string, (file: string) => Promise<unknown>]>([
  ['empty', (file) => writeFile(file, '')],
  ['cut off', async (file) => writeFile(file, (await readFile(file)).subarray(0, 20))],
  ['of random bytes', (file) => writeFile(file, Buffer.from([0xff, 0x00, 0x7b, 0x80]))],
  ['of another shape', (file) => writeFile(file, '{"format":1,"version":"many","updates":{}}')],
  ['of a newer app', (file) => writeFile(file, '{"format":2,"version":3}')],
  ['a folder', (file) => rm(file).then(() => mkdir(file))],
  ['closed', (file) => chmod(file, 0)],
  ['gone', (file) => rm(file)],
])('where it is %s, nothing is told, and the note opens', async (how, damage) => {
  await put('A.md', 'one ');
  const seen = await open('A.md');
  await stop();
  const [name] = await ended();
  await damage(join(endedFolder(), name!));
  await start();
  const event = await comeBack('A.md', seen);
  expect(event).toMatchObject({ kind: 'opened', text: 'one ' });
  // Root reads what is closed.
  if (how !== 'closed' || process.getuid?.() !== 0) expect(event).not.toHaveProperty('former');
});

test('where it can’t be kept, the note is closed all the same', async () => {
  await put('A.md', 'one ');
  const seen = await open('A.md');
  await mkdir(join(endedFolder(), `${seen.sessionId}.session`), { recursive: true });
  await notes.push('A.md', seen.sessionId, seen.version, [inserting(4, 'two')]);
  await stop();
  expect(await onDisk('A.md')).toBe('one two');
  await start();
  expect(await comeBack('A.md', seen)).not.toHaveProperty('former');
});

test('what no window asks for any more is removed at the next start: beyond a month, and beyond five hundred', async () => {
  await mkdir(endedFolder(), { recursive: true });
  const day = 24 * 3_600;
  const now = Date.now() / 1000;
  for (let age = 0; age < 40; age++) {
    const file = join(endedFolder(), `${age}.session`);
    await writeFile(file, '{}');
    await utimes(file, now - age * day - 60, now - age * day - 60);
  }
  await notes.recover();
  const left = (await ended()).map((name) => Number.parseInt(name, 10)).sort((a, b) => a - b);
  expect(left).toEqual(Array.from({ length: 30 }, (_, age) => age));
  for (let more = 0; more < 500; more++) await writeFile(join(endedFolder(), `a${more}.session`), '{}');
  await notes.recover();
  expect(await ended()).toHaveLength(500);
  expect((await ended()).filter((name) => !name.startsWith('a'))).toEqual([]);
});
