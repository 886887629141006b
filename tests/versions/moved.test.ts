import { renameSync } from 'node:fs';
import { appendFile, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { story, versionsHouse } from './house';

test.each([
  ['before the app is killed', 'seen'],
  ['while the app is dead', 'unseen'],
  ['while the app is dead, and another note takes its place', 'replaced'],
])('history follows an open note that is moved %s, and so do its unsaved words', async (_, when) => {
  const house = await versionsHouse({ 'A.md': 'one\n', 'C.md': 'see\n' });
  await house.known();
  await house.type('A.md', 'two\n');
  const { session, release } = await house.notes.hold('A.md');
  const move = () => rename(join(house.root, 'A.md'), join(house.root, 'B.md'));
  if (when === 'seen') {
    await move();
    await house.heard(async () => session.path === 'B.md');
  }
  session.edit('window-1', { from: 8, insert: 'unsaved\n' });
  await house.killed(async () => {
    if (when !== 'seen') await move();
    if (when === 'replaced') await house.put('A.md', 'another\n');
  });
  release();
  await house.heard(async () => (await house.read('B.md')) === 'one\ntwo\nunsaved\n');
  await house.known();
  await house.versions.settled();
  expect((await house.versions.deleted()).notes).toEqual([]);
  // Of a move that the app had seen nobody knows any more whose it was.
  const told = story(await house.entries('B.md')).map((one) => one.replace('nobody moved', 'disk moved'));
  expect(told.toSorted()).toEqual(['disk moved', 'nobody found', 'you changed']);
  expect(await house.texts('B.md')).toEqual(['one\n', 'one\ntwo\nunsaved\n']);
  if (when === 'replaced') expect(await house.texts('A.md')).toEqual(['another\n']);
});

test.each([0, 1_500])(
  'history follows an open note that is deleted and made elsewhere, %d ms later',
  async (ms) => {
    const house = await versionsHouse({ 'A.md': 'one\n' });
    await house.known();
    await house.type('A.md', 'two\n');
    const { session, release } = await house.notes.hold('A.md');
    await house.versions.settled();
    await unlink(join(house.root, 'A.md'));
    await house.heard(async () => session.saveState().kind === 'deleted');
    session.edit('window-1', { from: 8, insert: 'unsaved\n' });
    await new Promise((resolve) => setTimeout(resolve, ms));
    await house.put('B.md', 'one\ntwo\n');
    await house.heard(async () => (await house.read('B.md')) === 'one\ntwo\nunsaved\n');
    release();
    await house.known();
    expect((await house.versions.deleted()).notes).toEqual([]);
    expect(story(await house.entries('B.md'))).toEqual([
      'nobody found',
      'you changed',
      'disk moved',
      'you changed',
    ]);
    expect(await house.texts('B.md')).toEqual(['one\n', 'one\ntwo\n', 'one\ntwo\nunsaved\n']);
    await house.restart();
    expect((await house.versions.deleted()).notes).toEqual([]);
  },
);

test('where versions see it at its new place before its session does, it is not told as deleted', async () => {
  const house = await versionsHouse({ 'A.md': 'one\n' });
  await house.known();
  const { session, release } = await house.notes.hold('A.md');
  await unlink(join(house.root, 'A.md'));
  await house.heard(async () => session.saveState().kind === 'deleted');
  const { read } = house.vault;
  const known = Promise.withResolvers<void>();
  Object.assign(house.vault, { read: (path: string) => known.promise.then(() => read(path)) });
  await house.put('B.md', 'one\n');
  await house.heard(async () => (await house.entries('B.md')).length === 1);
  known.resolve();
  await house.heard(async () => session.path === 'B.md');
  release();
  await house.known();
  expect((await house.versions.deleted()).notes).toEqual([]);
  expect(story(await house.entries('B.md'))).toEqual(['nobody found', 'disk moved']);
});

/** The places that the history of the note there tells of. */
const cameFrom = async (house: Awaited<ReturnType<typeof versionsHouse>>, path: string) =>
  (await house.entries(path)).flatMap((entry) => (entry.kind === 'moved' ? [entry.from] : []));

/** What was `from` is `to` then. */
async function circle(root: string, moves: readonly (readonly [string, string])[]) {
  for (const [from] of moves) await rename(join(root, from), join(root, `${from}.away`));
  for (const [from, to] of moves) await rename(join(root, `${from}.away`), join(root, to));
}

test.each([
  ['two notes', ['A.md', 'B.md'], ['A.md', 'B.md']],
  ['two notes, and only the first has unsaved words', ['A.md', 'B.md'], ['A.md']],
  ['two notes, and only the second has unsaved words', ['A.md', 'B.md'], ['B.md']],
  ['three notes', ['A.md', 'B.md', 'C.md'], ['A.md', 'B.md', 'C.md']],
  ['three notes, and only one has unsaved words', ['A.md', 'B.md', 'C.md'], ['B.md']],
  ['three notes the other way round', ['C.md', 'B.md', 'A.md'], ['A.md', 'B.md', 'C.md']],
  ['two notes, saved just before', ['A.md', 'B.md'], ['A.md', 'B.md'], 'saved'],
  ['two notes, the first saved just before', ['A.md', 'B.md'], ['A.md'], 'saved'],
  ['two notes, the second saved just before', ['A.md', 'B.md'], ['B.md'], 'saved'],
  ['three notes, two of them saved just before', ['A.md', 'B.md', 'C.md'], ['A.md', 'C.md'], 'saved'],
] as const)(
  'each note keeps its history where places are changed while the app is dead: %s',
  async (_, paths, dirty, state: 'saved' | 'unsaved' = 'unsaved') => {
    const first = (path: string) => `# ${path}\n\nwords of ${path}\n`;
    const house = await versionsHouse(Object.fromEntries(paths.map((path) => [path, first(path)])));
    await house.known();
    const releases: (() => void)[] = [];
    for (const path of dirty) {
      const { session, release } = await house.notes.hold(path);
      session.edit('window-1', { from: session.text().length, insert: `unsaved in ${path}\n` });
      if (state === 'saved') await session.save();
      releases.push(release);
    }
    const moves = paths.map((path, at) => [path, paths[(at + 1) % paths.length] ?? ''] as const);
    await house.killed(() => circle(house.root, moves));
    for (const release of releases) release();
    const said = (path: string) =>
      first(path) + ((dirty as readonly string[]).includes(path) ? `unsaved in ${path}\n` : '');
    for (const [from, to] of moves) await house.heard(async () => (await house.read(to)) === said(from));
    await house.known();
    await house.versions.settled();
    expect((await house.versions.deleted()).notes).toEqual([]);
    for (const [from, to] of moves) {
      expect(await cameFrom(house, to)).toEqual([from]);
      expect(await house.texts(to)).toEqual([...new Set([first(from), said(from)])]);
    }
  },
);

test.each([
  ['two notes', ['A.md', 'B.md'], [], 'closed'],
  ['two notes, one of them changed there in place', ['A.md', 'B.md'], ['B.md'], 'closed'],
  ['three notes, all changed', ['A.md', 'B.md', 'C.md'], ['A.md', 'B.md', 'C.md'], 'closed'],
  ['four notes', ['A.md', 'B.md', 'C.md', 'D.md'], ['C.md'], 'closed'],
  ['a row of notes, the last to a new place', ['A.md', 'B.md', 'C.md'], ['C.md'], 'open'],
] as const)(
  'each note keeps its history where places are changed while the app is closed: %s',
  async (_, paths, changed, kind) => {
    const first = (path: string) => `# ${path}\n\nwords of ${path}\n`;
    const house = await versionsHouse(Object.fromEntries(paths.map((path) => [path, first(path)])));
    await house.known();
    // The last is only there; the first was typed in until the end.
    for (const path of paths.slice(0, -1)) await house.type(path, `typed in ${path}\n`);
    const typed = (path: string) => first(path) + (path === paths.at(-1) ? '' : `typed in ${path}\n`);
    const last = kind === 'open' ? 'Z.md' : paths[0];
    const moves = paths.map((path, at) => [path, paths[at + 1] ?? last] as const);
    await house.restart(async () => {
      await circle(house.root, moves);
      for (const path of changed) await appendFile(join(house.root, path), `others in ${path}\n`);
      if (kind === 'open') await house.put('A.md', 'Another.\n');
    });
    // Opened before anybody has looked at the disk.
    for (const [, to] of moves) await house.type(to, 'typed after\n');
    await house.known();
    await house.versions.settled();
    expect((await house.versions.deleted()).notes).toEqual([]);
    for (const [from, to] of moves) {
      expect(await cameFrom(house, to)).toEqual([from]);
      const texts = await house.texts(to);
      for (const text of texts) expect(text).toContain(`words of ${from}`);
      expect(texts[0]).toBe(first(from));
      const others = (changed as readonly string[]).includes(to) ? `others in ${to}\n` : '';
      expect(texts.at(-1)).toBe(`${typed(from)}${others}typed after\n`);
    }
    if (kind === 'open') expect(await house.texts('A.md')).toEqual(['Another.\n']);
  },
);

test('a note that another program moves to a backup and writes anew while the app is closed stays the note', async () => {
  const house = await versionsHouse({ 'A.md': 'one\n' });
  await house.known();
  await house.type('A.md', 'two\n');
  await house.restart(async () => {
    await rename(join(house.root, 'A.md'), join(house.root, 'A.bak.md'));
    await house.put('A.md', 'one\ntwo\nthree\n');
  });
  await house.known();
  expect(await house.texts('A.md')).toEqual(['one\n', 'one\ntwo\n', 'one\ntwo\nthree\n']);
  expect(await house.texts('A.bak.md')).toEqual(['one\ntwo\n']);
});

test('a command between a kill and a change of places takes nothing from the histories', async () => {
  const house = await versionsHouse({ 'A.md': 'of A\n', 'B.md': 'of B\n' });
  await house.known();
  const { session, release } = await house.notes.hold('A.md');
  session.edit('window-1', { from: 5, insert: 'unsaved\n' });
  await house.killed();
  release();
  await house.heard(async () => (await house.read('A.md')) === 'of A\nunsaved\n');
  await house.restart(() =>
    circle(house.root, [
      ['A.md', 'B.md'],
      ['B.md', 'A.md'],
    ]),
  );
  await house.known();
  expect(await house.texts('B.md')).toEqual(['of A\n', 'of A\nunsaved\n']);
  expect(await house.texts('A.md')).toEqual(['of B\n']);
});

/** Each of its own. */
const words = (name: string) =>
  Array.from({ length: 12 }, (_, at) => `${name} says ${name.repeat(3)} the ${at}th time.\n`).join('');

test.each([
  ['while the app is closed', 'closed'],
  ['while the app is dead, and it was saved just before', 'dead'],
  ['while the app runs', 'running'],
])('a note that is moved keeps its history, and another of its old name has its own: %s', async (_, when) => {
  const house = await versionsHouse({ 'A.md': words('one'), 'Z.md': 'see\n' });
  await house.known();
  await house.type('A.md', 'two\n');
  const said = `${words('one')}two\n`;
  const change = async () => {
    await rename(join(house.root, 'A.md'), join(house.root, 'B.md'));
    await house.put('A.md', words('other'));
  };
  if (when === 'closed') await house.restart(change);
  if (when === 'dead') {
    const { session, release } = await house.notes.hold('A.md');
    session.edit('window-1', { from: said.length, insert: 'three\n' });
    await session.save();
    await house.killed(change);
    release();
  }
  if (when === 'running') {
    await house.versions.settled();
    await change();
    // Its session is the one that knows it.
    await house.heard(async () => (await cameFrom(house, 'B.md')).length > 0);
  }
  await house.known();
  expect(await house.texts('B.md')).toEqual([words('one'), when === 'dead' ? `${said}three\n` : said]);
  expect(await cameFrom(house, 'B.md')).toEqual(['A.md']);
  expect(await house.texts('A.md')).toEqual([words('other')]);
  expect((await house.versions.deleted()).notes).toEqual([]);
});

test.each([
  ['two notes', ['A.md', 'B.md'], []],
  ['two notes, one of them changed', ['A.md', 'B.md'], ['B.md']],
  ['four notes, all changed', ['A.md', 'B.md', 'C.md', 'D.md'], ['A.md', 'B.md', 'C.md', 'D.md']],
] as const)(
  'each note keeps its history where programs change the places of closed notes while the app runs: %s',
  async (_, paths, changed) => {
    const house = await versionsHouse(Object.fromEntries(paths.map((path) => [path, words(path)])));
    await house.known();
    const moves = paths.map((path, at) => [path, paths[(at + 1) % paths.length] ?? ''] as const);
    await circle(house.root, moves);
    for (const path of changed) await appendFile(join(house.root, path), `others in ${path}\n`);
    for (const [from, to] of moves) {
      const now = words(from) + ((changed as readonly string[]).includes(to) ? `others in ${to}\n` : '');
      await house.heard(async () => (await house.texts(to)).at(-1) === now);
    }
    await house.known();
    for (const [from, to] of moves) {
      expect(await cameFrom(house, to)).toEqual([from]);
      expect((await house.texts(to))[0]).toBe(words(from));
    }
    expect((await house.versions.deleted()).notes).toEqual([]);
  },
);

test('a note that is away for a while and comes to the place of another, which is gone, keeps its history', async () => {
  const house = await versionsHouse({ 'A.md': words('one'), 'B.md': words('two') });
  await house.known();
  const away = join(house.root, '..', 'away.md');
  await rename(join(house.root, 'A.md'), away);
  await house.heard(async () => (await house.versions.deleted()).notes.length === 1);
  // At once, so that nobody sees that place empty.
  await rename(away, join(house.root, 'B.md'));
  await house.heard(async () => (await cameFrom(house, 'B.md')).length > 0);
  await house.known();
  expect(await cameFrom(house, 'B.md')).toEqual(['A.md']);
  expect(await house.texts('B.md')).toEqual([words('one')]);
  expect((await house.versions.deleted()).notes.map(({ path }) => path)).toEqual(['B.md']);
});

test('an open note that another open one was moved over while the app was dead says nothing in that one', async () => {
  const house = await versionsHouse({ 'A.md': words('one'), 'B.md': words('two') });
  await house.known();
  const releases: (() => void)[] = [];
  // The second file is the younger one.
  for (const path of ['A.md', 'B.md']) {
    const { session, release } = await house.notes.hold(path);
    session.edit('window-1', { from: session.text().length, insert: `typed in ${path}\n` });
    await session.save();
    releases.push(release);
  }
  await house.killed(() => rename(join(house.root, 'B.md'), join(house.root, 'A.md')));
  for (const release of releases) release();
  await house.known();
  const said = `${words('two')}typed in B.md\n`;
  expect(await house.read('A.md')).toBe(said);
  expect(await house.texts('A.md')).toEqual([words('two'), said]);
});

test.each([
  ['one is open', ['A.md']],
  ['both are open', ['A.md', 'B.md']],
])(
  'notes that are much alike keep words and histories where their places are changed while they are typed in: %s',
  async (_, open) => {
    const files = ['A.md', 'B.md', 'C.md', 'D.md'];
    const house = await versionsHouse(Object.fromEntries(files.map((path) => [path, `# note ${path}\n`])));
    await house.known();
    // A session is where its file is.
    const held = await Promise.all(open.map((path) => house.notes.hold(path)));
    const said = open.map((path) => `# note ${path}\n`);
    for (let turn = 0; turn < 6; turn++) {
      for (const [at, { session }] of held.entries()) {
        session.edit('window-1', { from: session.text().length, insert: `turn ${turn} in ${open[at]}\n` });
        said[at] += `turn ${turn} in ${open[at]}\n`;
      }
      if (turn % 2 === 0) await Promise.all(held.map(({ session }) => session.save()));
      const [first = 'A.md'] = held.map(({ session }) => session.path);
      const other = files[(files.indexOf(first) + 1 + (turn % 3)) % 4] ?? 'B.md';
      await circle(house.root, [
        [first, other],
        [other, first],
      ]);
      if (turn % 3 !== 1) await new Promise((resolve) => setTimeout(resolve, 30 * turn));
      for (const [at, { session }] of held.entries())
        await house.heard(async () => session.path !== first || at > 0);
      expect(held.map(({ session }) => session.text())).toEqual(said);
    }
    for (const { session } of held) await session.save();
    for (const [at, { session }] of held.entries()) expect(await house.read(session.path)).toBe(said[at]);
    for (const { release } of held) release();
    await house.restart();
    await house.known();
    expect((await house.versions.deleted()).notes).toEqual([]);
    for (const path of files) {
      const texts = await house.texts(path);
      const [name] = /note [A-D]/.exec(texts[0] ?? '') ?? [];
      for (const text of texts) expect(text).toContain(`# ${name}.md\n`);
      expect(await house.read(path)).toBe(texts.at(-1));
    }
  },
  60_000,
);

test('a closed note keeps its history where an open one comes to its place, and another is deleted from that which it comes to', async () => {
  const house = await versionsHouse({ 'A.md': words('one'), 'B.md': words('two'), 'C.md': words('three') });
  await house.known();
  const { session, release } = await house.notes.hold('A.md');
  session.edit('window-1', { from: session.text().length, insert: 'typed\n' });
  await session.save();
  await house.versions.settled();
  const at = (path: string) => join(house.root, path);
  await unlink(at('C.md'));
  await rename(at('B.md'), at('C.md'));
  await rename(at('A.md'), at('B.md'));
  await house.heard(async () => session.path === 'B.md');
  await house.heard(async () => (await cameFrom(house, 'C.md')).length > 0);
  release();
  await house.restart();
  await house.known();
  expect(await house.texts('C.md')).toEqual([words('two')]);
  expect(await house.texts('B.md')).toEqual([words('one'), `${words('one')}typed\n`]);
  expect((await house.versions.deleted()).notes.map(({ path }) => path)).toEqual(['C.md']);
});

test.each(['deleted', 'deleted, and another one moved to its place'])(
  'what was saved just before the app was killed is in the history of the note, which is %s since',
  async (how) => {
    const house = await versionsHouse({ 'A.md': words('one'), 'B.md': words('two') });
    await house.known();
    const { session, release } = await house.notes.hold('A.md');
    session.edit('window-1', { from: session.text().length, insert: 'typed\n' });
    await session.save();
    await house.killed(async () => {
      await unlink(join(house.root, 'A.md'));
      if (how !== 'deleted') await rename(join(house.root, 'B.md'), join(house.root, 'A.md'));
    });
    release();
    await house.known();
    const [gone, ...others] = (await house.versions.deleted()).notes;
    expect([gone?.path, others]).toEqual(['A.md', []]);
    const said = await house.versions.read('A.md', gone?.id ?? '');
    if (how === 'deleted') expect(said).toBe(`${words('one')}typed\n`);
    else expect(await house.texts('A.md')).toEqual([words('two')]);
  },
);

test('an open note that is moved together with another while its file is read takes nothing of the other', async () => {
  const house = await versionsHouse({ 'A.md': '# note A\nalike\n', 'B.md': '# note B\nalike\n' });
  await house.known();
  const [a, b] = await Promise.all([house.notes.hold('A.md'), house.notes.hold('B.md')]);
  const { readRaw } = house.vault;
  let read = 0;
  // What stands at its place is taken at the second look, and known only after it has gone on.
  Object.assign(house.vault, {
    readRaw: async (path: string) => {
      const raw = await readRaw(path);
      if (path === 'A.md' && read++ === 1)
        await expect.poll(() => a.session.path, { timeout: 5_000 }).toBe('B.md');
      return raw;
    },
  });
  const at = (path: string) => join(house.root, path);
  renameSync(at('A.md'), at('away'));
  renameSync(at('B.md'), at('A.md'));
  renameSync(at('away'), at('B.md'));
  await house.heard(async () => a.session.path === 'B.md' && b.session.path === 'A.md');
  await Promise.all([a.session.save(), b.session.save()]);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(read).toBeGreaterThan(1);
  expect([a.session.text(), b.session.text()]).toEqual(['# note A\nalike\n', '# note B\nalike\n']);
  for (const { release } of [a, b]) release();
  await house.known();
  expect(await house.texts('B.md')).toEqual(['# note A\nalike\n']);
  expect(await house.texts('A.md')).toEqual(['# note B\nalike\n']);
});
