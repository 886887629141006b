import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { NoteEvent } from '../../src/contract/notes';
import { type Clock, createLog, systemClock } from '../../src/core/foundation';
import {
  createNotes,
  type NoteSession,
  type Notes,
  type NotesObserver,
  type NotesTrouble,
} from '../../src/core/notes';
import { createVault, type Vault } from '../../src/core/vault';

let folder: string;
let root: string;
let vault: Vault;
let notes: Notes;
let observer: NotesObserver | undefined;
let troubles: NotesTrouble[];
let moveToTrash: (path: string) => Promise<void>;
/** Ends the time that a session stays open without anybody. */
let lingerEnds: (() => void)[];

const log = createLog(() => undefined);
const data = () => join(folder, 'data');
const read = (path: string) => readFile(join(root, path), 'utf8');
const put = (path: string, text: string) => writeFile(join(root, path), text);
const journals = async () =>
  (await readdir(join(data(), 'journals')).catch(() => [])).filter((name) => name.endsWith('.journal'));
const patience = { timeout: 5_000 };
const saveKind = (session: NoteSession) => () => session.saveState().kind;
const kept = () =>
  Promise.all(troubles.flatMap((one) => (one.kind === 'kept' ? [readFile(one.keptAs, 'utf8')] : [])));

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

async function start(): Promise<void> {
  vault = createVault({
    log,
    clock,
    trust: { isTrusted: () => true },
    moveToTrash: (path) => moveToTrash(path),
  });
  await vault.open(root);
  notes = createNotes({
    vault,
    ...(observer && { observer }),
    dataFolder: data(),
    log,
    clock,
    onTrouble: (one) => troubles.push(one),
    whereNow: async (_text, file) => (file === null ? null : vault.whereIs(file)),
  });
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'life-'));
  root = join(folder, 'vault');
  await mkdir(root);
  troubles = [];
  observer = undefined;
  lingerEnds = [];
  moveToTrash = (path) => unlink(path);
  await start();
});
afterEach(async () => {
  await notes.close();
  await vault.close();
  await rm(folder, { recursive: true, force: true });
});

const insert = (length: number, at: number, text: string) => [
  ...(at > 0 ? [at] : []),
  [0, ...text.split('\n')],
  ...(length > at ? [length - at] : []),
];

/** What a window sees first when it follows. */
async function firstEvent(path: string, seen: { sessionId: string; version: number } | null = null) {
  for await (const event of notes.follow(path, seen, new AbortController().signal)) return event;
  throw new Error('Ended before it began.');
}

test('a note made under the name of one in the trash is new, and what is typed into it is saved', async () => {
  await put('A.md', 'old text');
  const { release } = await notes.hold('A.md');
  release();
  await vault.trash('A.md');
  expect(await vault.create('A.md', '')).toEqual({ path: 'A.md' });
  const { session } = await notes.hold('A.md');
  expect(session.text()).toBe('');
  session.edit('me', { from: 0, insert: 'new text' });
  expect(await session.save()).toMatchObject({ kind: 'saved' });
  expect(await read('A.md')).toBe('new text');
});

test('a note renamed to the name of one in the trash keeps its own text and goes on being saved', async () => {
  await put('A.md', 'old text');
  await put('B.md', 'other');
  const a = await notes.hold('A.md');
  const b = await notes.hold('B.md');
  await vault.trash('A.md');
  await vault.rename('B.md', 'A.md');
  a.release();
  expect(notes.opened('A.md')).toBe(b.session);
  b.session.edit('me', { from: 0, insert: 'an' });
  expect(await b.session.save()).toMatchObject({ kind: 'saved' });
  expect(await read('A.md')).toBe('another');
  expect(() => a.session.edit('me', { from: 0, insert: 'x' })).toThrow(
    expect.objectContaining({ code: 'note.session-gone' }),
  );
});

test('what was typed up to the last moment goes to the trash with the note', async () => {
  let trashed = '';
  moveToTrash = async (path) => {
    trashed = await readFile(path, 'utf8');
    await unlink(path);
  };
  await put('A.md', 'text');
  const { session } = await notes.hold('A.md');
  session.edit('me', { from: 0, insert: 'more ' });
  await vault.trash('A.md');
  expect(trashed).toBe('more text');
  expect(await journals()).toEqual([]);
});

test('the journal of a note that goes to the trash stays until its history has what was said last', async () => {
  await notes.close();
  await vault.close();
  const { promise: hasIt, resolve } = Promise.withResolvers<void>();
  observer = {
    changing: () => ['you'],
    changed: () => undefined,
    recovered: () => undefined,
    moved: () => undefined,
    deleted: () => undefined,
    closed: () => hasIt,
  };
  await start();
  await put('a.md', 'old\n');
  const { session } = await notes.hold('a.md');
  session.edit('window-1', { from: 4, insert: 'last\n' });
  await session.save();
  await vault.trash('a.md');
  expect(await journals()).toHaveLength(1);
  resolve();
  await expect.poll(journals, patience).toEqual([]);
});

test('unsaved text of a trashed note never gets into a later one of its name: it is a file of its own, and said', async () => {
  await put('A.md', 'text');
  const { session } = await notes.hold('A.md');
  await chmod(join(root, 'A.md'), 0o444);
  session.edit('me', { from: 0, insert: 'unsaved ' });
  await vault.trash('A.md');
  await put('A.md', 'another note');
  const next = await notes.hold('A.md');
  expect(next.session.text()).toBe('another note');
  expect(await kept()).toEqual(['unsaved text']);
  await notes.close();
  await start();
  expect(await notes.recover()).toEqual([]);
  expect(await read('A.md')).toBe('another note');
});

test('while its note is on the way to the trash a session acknowledges nothing; if that fails it goes on', async () => {
  const [reached, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  moveToTrash = async () => {
    reached.resolve();
    await go.promise;
  };
  await put('A.md', 'text');
  const { session } = await notes.hold('A.md');
  const { sessionId } = session;
  const push = () => notes.push('A.md', sessionId, 0, [{ clientId: 'me', changes: insert(4, 0, 'x') }]);
  const trashing = vault.trash('A.md');
  await reached.promise;
  await expect(push()).rejects.toMatchObject({ code: 'note.session-gone' });
  const waiting = firstEvent('A.md', { sessionId, version: 0 });
  go.reject(new Error('The trash is full.'));
  await expect(trashing).rejects.toThrow('full');
  expect(await waiting).toMatchObject({ kind: 'rejoined', sessionId });
  await push();
  expect(await session.save()).toMatchObject({ kind: 'saved' });
  expect(await read('A.md')).toBe('xtext');
});

test('followers of a trashed note are told that it ended, and then that it is not there', async () => {
  await put('A.md', 'text');
  const events: NoteEvent[] = [];
  const begun = Promise.withResolvers<void>();
  const following = (async () => {
    for await (const event of notes.follow('A.md', null, new AbortController().signal)) {
      events.push(event);
      begun.resolve();
    }
  })();
  await begun.promise;
  await vault.trash('A.md');
  await following;
  expect(events[0]).toMatchObject({ kind: 'opened', text: 'text' });
  await expect(firstEvent('A.md')).rejects.toMatchObject({ code: 'vault.not-found' });
});

test('a session that is closing acknowledges nothing, and whoever wants the note gets the next one', async () => {
  await put('A.md', 'text');
  const { session, release } = await notes.hold('A.md');
  const { sessionId } = session;
  release();
  for (const end of lingerEnds) end();
  await expect(
    notes.push('A.md', sessionId, 0, [{ clientId: 'me', changes: insert(4, 0, 'x') }]),
  ).rejects.toMatchObject({ code: 'note.session-gone' });
  const next = await notes.hold('A.md');
  expect(next.session.sessionId).not.toBe(sessionId);
  next.session.edit('me', { from: 0, insert: 'kept ' });
  expect(await next.session.save()).toMatchObject({ kind: 'saved' });
  expect(await read('A.md')).toBe('kept text');
});

test('a push that was sent before the window heard of the rename arrives, and following again finds the session', async () => {
  await put('A.md', 'text');
  const { session } = await notes.hold('A.md');
  await vault.rename('A.md', 'B.md');
  await notes.push('A.md', session.sessionId, 0, [{ clientId: 'me', changes: insert(4, 4, '!') }]);
  const { sessionId, version } = session;
  expect(await firstEvent('A.md', { sessionId, version })).toMatchObject({ kind: 'rejoined', sessionId });
  expect(await session.save()).toMatchObject({ kind: 'saved' });
  expect(await read('B.md')).toBe('text!');
});

test('typing while a note is renamed loses nothing, however often', async () => {
  await put('0.md', '');
  const { session } = await notes.hold('0.md');
  let typed = '';
  for (let turn = 0; turn < 30; turn++) {
    const moving = vault.rename(`${turn}.md`, `${turn + 1}.md`);
    for (let key = 0; key < 5; key++) {
      session.edit('me', { from: typed.length, insert: '.' });
      typed += '.';
      if (key % 2 === 0) void session.save();
      await Promise.resolve();
    }
    await moving;
  }
  expect(await session.save()).toMatchObject({ kind: 'saved' });
  expect(await read('30.md')).toBe(typed);
  expect(await readdir(root)).toEqual(['30.md']);
});

test('a note that another program deleted and then made anew with another text is another note', async () => {
  await put('A.md', 'the first note of this name');
  const { session } = await notes.hold('A.md');
  await unlink(join(root, 'A.md'));
  await expect.poll(saveKind(session), patience).toBe('deleted');
  session.edit('me', { from: 0, insert: 'unsaved: ' });
  await put('A.md', 'QUITE 12345 DIFFERENT');
  await expect.poll(kept, patience).toEqual(['unsaved: the first note of this name']);
  const next = await notes.hold('A.md');
  expect(next.session.text()).toBe('QUITE 12345 DIFFERENT');
});

const inVault = (path: string) => join(root, path);
/** Until a file that is made now is younger than those before it: the disk's clock goes in steps. */
async function diskClockGoesOn(): Promise<void> {
  const probe = join(folder, 'probe');
  const born = async () => {
    await writeFile(probe, '');
    const { birthtimeMs } = await stat(probe);
    await unlink(probe);
    return Math.round(birthtimeMs);
  };
  await expect.poll(born, patience).toBeGreaterThan(await born());
}
const onto = (from: string, to: string) => rename(inVault(from), inVault(to));
/** How another program may put another note into the place of an open one. */
const manners: Record<string, () => Promise<void>> = {
  swapped: async () => {
    await onto('F/X.md', 'F/t');
    await onto('G/X.md', 'F/X.md');
    await onto('F/t', 'G/X.md');
  },
  'its folder swapped': async () => {
    await onto('F', 'H');
    await onto('G', 'F');
  },
  'moved over it': () => onto('G/X.md', 'F/X.md'),
  'moved away, and made anew': async () => {
    await onto('F/X.md', 'Elsewhere.md');
    await put('F/X.md', await read('G/X.md'));
  },
  'written beside and put in its place': async () => {
    await put('F/new.tmp', await read('G/X.md'));
    await onto('F/new.tmp', 'F/X.md');
  },
};
const texts = {
  short: ['mine\n', 'theirs\n'],
  'of other words': [
    'mine\nThe first note is of the garden.\n',
    'theirs\nAnother speaks of ships and of the sea.\n',
  ],
} as const;
/** Whose they are is told by the file alone. */
const alike = {
  alike: ['mine\n# Day\n\n- [ ] Water\n- [ ] Read\n', 'theirs\n# Day\n\n- [ ] Water\n- [ ] Read\n'],
} as const;
const known = new Set(['swapped', 'its folder swapped', 'moved over it', 'moved away, and made anew']);

for (const [manner, act] of Object.entries(manners))
  for (const [kind, [mine, theirs]] of Object.entries(known.has(manner) ? { ...texts, ...alike } : texts))
    test(`what is typed into a note never gets into another one in its place: ${manner}, ${kind}`, async () => {
      await mkdir(inVault('F'));
      await mkdir(inVault('G'));
      await put('F/X.md', mine);
      await put('G/X.md', theirs);
      await diskClockGoesOn();
      await vault.sweep();
      const { session } = await notes.hold('F/X.md');
      session.edit('me', { from: 0, insert: 'saved ' });
      await session.save();
      session.edit('me', { from: 0, insert: 'typed ' });
      await act();
      await vault.sweep();
      await session.save();
      const everywhere = async () => {
        const files = await readdir(folder, { recursive: true, withFileTypes: true });
        const found = files.filter((file) => file.isFile() && /\.md$/.test(file.name));
        return Promise.all(found.map((file) => readFile(join(file.parentPath, file.name), 'utf8')));
      };
      const holding = async () => (await everywhere()).filter((text) => text.includes('typed '));
      await expect.poll(holding, patience).toEqual([`typed saved ${mine}`]);
      expect(await everywhere()).toContain(theirs);
    });

test('of two notes with one id, the one that goes does not leave its unsaved text in the other', async () => {
  const entity = (words: string) => `---\nid: T-001\ntype: task\n---\n${words}\n`;
  await put('A.md', entity('The same words in both, for the most part: one.'));
  await put('B.md', entity('The same words in both, for the most part: two.'));
  await diskClockGoesOn();
  await notes.close();
  notes = createNotes({
    vault,
    dataFolder: data(),
    log,
    clock,
    onTrouble: (one) => troubles.push(one),
    whereNow: async () => 'A.md',
  });
  const { session } = await notes.hold('B.md');
  session.edit('me', { from: 0, insert: 'saved ' });
  await session.save();
  session.edit('me', { from: 0, insert: 'typed ' });
  const before = await read('A.md');
  await unlink(inVault('B.md'));
  await vault.sweep();
  await expect.poll(saveKind(session), patience).toBe('deleted');
  expect(await read('A.md')).toBe(before);
  expect(session.text()).toContain('typed saved');
});

test('what was left of a note stays its own where another one has its place at the next start', async () => {
  await mkdir(inVault('F'));
  await put('F/X.md', 'mine\n');
  await put('Y.md', 'theirs\n');
  const { session } = await notes.hold('F/X.md');
  session.edit('me', { from: 0, insert: 'saved ' });
  await session.save();
  session.edit('me', { from: 0, insert: 'typed ' });
  const journal = await readdir(join(data(), 'journals'), { recursive: true });
  expect(journal.some((name) => name.endsWith('.journal'))).toBe(true);
  await chmod(inVault('F/X.md'), 0o444);
  await notes.close();
  await onto('F/X.md', 'Z.md');
  await onto('Y.md', 'F/X.md');
  await chmod(inVault('Z.md'), 0o644);
  await start();
  expect(await notes.recover()).toEqual(['Z.md']);
  expect([await read('Z.md'), await read('F/X.md')]).toEqual(['typed saved mine\n', 'theirs\n']);
});

test('a window that comes back to another note is told, and what it had not handed on is kept', async () => {
  await put('A.md', 'the first note of this name');
  const { session } = await notes.hold('A.md');
  const { sessionId, version } = session;
  expect(await firstEvent('A.md', { sessionId, version })).not.toHaveProperty('another');
  await vault.trash('A.md');
  await put('A.md', 'QUITE 12345 DIFFERENT');
  await vault.sweep();
  const seen = await firstEvent('A.md', { sessionId, version });
  expect(seen).toMatchObject({ kind: 'opened', another: true, text: 'QUITE 12345 DIFFERENT' });
  notes.keep('A.md', 'typed meanwhile');
  expect(await kept()).toEqual(['typed meanwhile']);
});

test('a note that is away for a moment and comes back is the same, with what was typed meanwhile', async () => {
  await put('A.md', 'one\ntwo\nthree\n');
  const { session } = await notes.hold('A.md');
  await rename(join(root, 'A.md'), join(folder, 'elsewhere'));
  await expect.poll(saveKind(session), patience).toBe('deleted');
  session.edit('me', { from: 0, insert: 'typed ' });
  await rename(join(folder, 'elsewhere'), join(root, 'A.md'));
  await expect.poll(saveKind(session), patience).toBe('saved');
  expect(await read('A.md')).toBe('typed one\ntwo\nthree\n');
  expect(troubles).toEqual([]);
});

/** So long a session stays open without anybody when its note is deleted. */
const lingersDeleted = { timeout: 15_000 };

test('unsaved text of a deleted note that nobody has open any more is kept apart within seconds, once', async () => {
  await put('A.md', 'text');
  const { session, release } = await notes.hold('A.md');
  const { sessionId } = session;
  await unlink(inVault('A.md'));
  await expect.poll(saveKind(session), patience).toBe('deleted');
  session.edit('me', { from: 0, insert: 'unsaved ' });
  release();
  await expect.poll(kept, lingersDeleted).toEqual(['unsaved text']);
  expect(troubles).toMatchObject([{ note: 'A.md', reason: 'deleted' }]);
  expect(notes.opened('A.md')).toBeUndefined();
  expect(await journals()).toEqual([]);
  await notes.close();
  await start();
  expect(await notes.recover()).toEqual([]);
  expect(notes.recovery.list()).toHaveLength(1);
  expect(notes.recovery.waiting()).toEqual([]);
  // It is another note by now.
  await put('A.md', 'anew');
  expect(await firstEvent('A.md', { sessionId, version: 1 })).toMatchObject({ text: 'anew' });
});

test('a note that is deleted after its last window was closed ends within seconds as well', async () => {
  await put('A.md', 'text');
  const { session, release } = await notes.hold('A.md');
  session.edit('me', { from: 0, insert: 'saved ' });
  await session.save();
  release();
  await unlink(inVault('A.md'));
  await expect.poll(() => notes.opened('A.md'), lingersDeleted).toBeUndefined();
  expect(await journals()).toEqual([]);
  expect(troubles).toEqual([]);
});

test('a deleted note that nobody has open any more goes on when it comes back in time, with what was not saved', async () => {
  await put('A.md', 'one\ntwo\n');
  const { session, release } = await notes.hold('A.md');
  await unlink(inVault('A.md'));
  await expect.poll(saveKind(session), patience).toBe('deleted');
  session.edit('me', { from: 0, insert: 'typed ' });
  release();
  await put('A.md', 'one\ntwo\nthree\n');
  await expect.poll(() => read('A.md'), patience).toBe('typed one\ntwo\nthree\n');
  await new Promise((resolve) => setTimeout(resolve, 6_000));
  expect(notes.opened('A.md')).toBe(session);
  expect(troubles).toEqual([]);
});

test('a deleted note that a window has open again stays as it is for as long as that is open', async () => {
  await put('A.md', 'text');
  const { session, release } = await notes.hold('A.md');
  await unlink(inVault('A.md'));
  await expect.poll(saveKind(session), patience).toBe('deleted');
  session.edit('me', { from: 0, insert: 'unsaved ' });
  release();
  const again = await notes.hold('A.md');
  await new Promise((resolve) => setTimeout(resolve, 6_000));
  expect(again.session).toBe(session);
  expect(await notes.save('A.md')).toMatchObject({ kind: 'saved' });
  expect(await read('A.md')).toBe('unsaved text');
  expect(troubles).toEqual([]);
});

test('what two programs left of one note is both in it after the next start', async () => {
  await put('A.md', 'one\ntwo\nthree\n');
  const other = createVault({ log, clock, trust: { isTrusted: () => true }, moveToTrash: unlink });
  await other.open(root);
  const otherNotes = createNotes({ vault: other, dataFolder: data(), log, clock });
  const [a, b] = [await notes.hold('A.md'), await otherNotes.hold('A.md')];
  await chmod(join(root, 'A.md'), 0o444);
  a.session.edit('me', { from: 3, insert: ' by me' });
  b.session.edit('you', { from: 7, insert: ' by you' });
  await notes.close();
  await otherNotes.close();
  await chmod(join(root, 'A.md'), 0o644);
  await start();
  expect(await notes.recover()).toEqual(['A.md', 'A.md']);
  expect(await read('A.md')).toBe('one by me\ntwo by you\nthree\n');
  await other.close();
});

test('leaving a vault in the middle of its notes never brings their text into another one', async () => {
  await put('A.md', 'here');
  const second = join(folder, 'second');
  await mkdir(second);
  await writeFile(join(second, 'A.md'), 'there');
  const { session } = await notes.hold('A.md');
  // A window that lost its session comes back before the next vault is open.
  const leaving = notes.leaveVault();
  const late = notes.hold('A.md').catch(() => null);
  await leaving;
  await vault.open(second);
  await late;
  expect(() => session.edit('me', { from: 0, insert: 'x' })).toThrow();
  const next = await notes.hold('A.md');
  expect(next.session.text()).toBe('there');
});

test('a vault is left once its followers have handed over what they hold, and what comes after finds no note of its name', async () => {
  await put('A.md', 'here');
  const second = join(folder, 'second');
  await mkdir(second);
  await writeFile(join(second, 'A.md'), 'there');
  const window = new AbortController();
  const events = notes.follow('A.md', null, window.signal)[Symbol.asyncIterator]();
  const { value: first } = await events.next();
  if (first.kind !== 'opened') throw new Error(first.kind);
  const { sessionId, vault: of } = first;
  const type = (version: number, insert: string) =>
    notes.push('A.md', sessionId, version, [{ clientId: 'me', changes: [4 + version, [0, insert]] }]);

  const order: string[] = [];
  const left = notes.leaveVault(async () => {
    order.push(`left with ${await read('A.md')}`);
    await vault.open(second);
  });
  expect((await events.next()).value).toEqual({ kind: 'leaving' });
  await type(0, '1');
  order.push('handed over');
  window.abort();
  await events.next();
  await left;
  expect(order).toEqual(['handed over', 'left with here1']);

  await expect(type(1, '2')).rejects.toMatchObject({ code: 'note.session-gone' });
  const again = notes.follow('A.md', { sessionId, version: 1, vault: of }, new AbortController().signal);
  await expect(again[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'vault.not-found' });
  expect(await readFile(join(second, 'A.md'), 'utf8')).toBe('there');
});

test('a window joins no note of another vault, though that has its name and its words, and the app is another run', async () => {
  await put('A.md', 'the same');
  const second = join(folder, 'second');
  await mkdir(second);
  await writeFile(join(second, 'A.md'), 'the same');
  const events = notes.follow('A.md', null, new AbortController().signal)[Symbol.asyncIterator]();
  const { value: first } = await events.next();
  if (first.kind !== 'opened') throw new Error(first.kind);
  const { sessionId, version, epoch, file, vault: of } = first;
  await start();
  await vault.open(second);
  const seen = { sessionId, version, epoch, file, vault: of };
  const again = notes.follow('A.md', seen, new AbortController().signal)[Symbol.asyncIterator]();
  await expect(again.next()).rejects.toMatchObject({ code: 'vault.not-found' });
  // Back in its own vault it goes on.
  await vault.open(root);
  const back = notes.follow('A.md', seen, new AbortController().signal)[Symbol.asyncIterator]();
  expect((await back.next()).value).toMatchObject({ text: 'the same' });
});

test('a follower that has nothing to say keeps no vault open', async () => {
  await put('A.md', 'here');
  const events = notes.follow('A.md', null, new AbortController().signal)[Symbol.asyncIterator]();
  await events.next();
  await notes.leaveVault();
  expect(notes.opened('A.md')).toBeUndefined();
});
