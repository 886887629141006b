import { readdirSync, writeFileSync } from 'node:fs';
import { rename, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Run } from '../../src/contract/chat';
import { answer, answerRun, story, versionsHouse } from './house';

test('what a person typed is kept before another program’s text is taken, and that after it', async () => {
  const house = await versionsHouse({ 'A.md': 'one\n' });
  const { session, release } = await house.notes.hold('A.md');
  session.edit('window-1', { from: 4, insert: 'two\n' });
  await session.save();
  await house.put('A.md', 'one\ntwo\nthree\n');
  await house.heard(async () => session.text() === 'one\ntwo\nthree\n');
  release();
  expect(await house.texts('A.md')).toEqual(['one\n', 'one\ntwo\n', 'one\ntwo\nthree\n']);
  expect(story(await house.entries('A.md'))).toEqual(['nobody found', 'you changed', 'disk changed']);
  const [newest] = await house.entries('A.md');
  expect(newest).toMatchObject({ added: 1, removed: 0 });
});

test('an answer is one version, with the text before it and who gave it', async () => {
  const house = await versionsHouse({ 'A.md': '#User : hi' });
  house.runs.set([answerRun('run-9', 'A.md')]);
  const { session, release } = await house.notes.hold('A.md');
  for (const piece of ['\n\n#Bot : ', 'hel', 'lo'])
    session.edit('run-9', { from: session.text().length, insert: piece });
  house.runs.set([answerRun('run-9', 'A.md', 2)]);
  session.edit('window-1', { from: session.text().length, insert: '!' });
  release();
  expect(await house.texts('A.md')).toEqual([
    '#User : hi',
    '#User : hi\n\n#Bot : hello',
    '#User : hi\n\n#Bot : hello!',
  ]);
  const entries = await house.entries('A.md');
  expect(story(entries)).toEqual(['nobody found', 'model changed', 'you changed']);
  expect(entries[1]?.by[0]).toMatchObject({ answer: { model: 'model-1', runId: 'run-9' } });
});

test.for([
  ['failed', { kind: 'failed', error: { code: 'internal', message: 'refused' } }],
  ['broke-off', { kind: 'broke-off' }],
  ['stopped', { kind: 'finished', reason: 'cancelled' }],
  ['answered', { kind: 'finished', reason: 'stop' }],
] as const)('History says of an answer that %s how it ended', async ([end, phase]) => {
  const house = await versionsHouse({ 'A.md': '#User : hi' });
  house.runs.set([answerRun('run-9', 'A.md')]);
  const { session, release } = await house.notes.hold('A.md');
  session.edit('run-9', { from: session.text().length, insert: '\n\n> [!failure] No answer\n' });
  house.runs.set([{ ...answerRun('run-9', 'A.md', 2), phase }] as Run[]);
  release();
  const [newest] = await house.entries('A.md');
  expect(newest?.by).toMatchObject([{ kind: 'model', answer: { model: 'model-1' }, end }]);
});

test('what is kept while an answer is still written is not called answered', async () => {
  const house = await versionsHouse({ 'A.md': '#User : hi' }, { interval: 1_000 });
  house.runs.set([answerRun('run-9', 'A.md')]);
  const { session, release } = await house.notes.hold('A.md');
  session.edit('run-9', { from: session.text().length, insert: '\n\n#Bot : half' });
  const kept = () => house.versions.followTimeline('A.md', AbortSignal.timeout(20_000));
  for await (const { entries } of kept()) if (entries[0]?.by[0]?.kind === 'model') break;
  session.edit('run-9', { from: session.text().length, insert: ' and whole' });
  house.runs.set([answerRun('run-9', 'A.md', 2)]);
  release();
  const ends = (await house.entries('A.md')).map(
    ({ by: [author] }) => author?.kind === 'model' && author.end,
  );
  expect(ends).toEqual(['answered', undefined, false]);
});

test('a person and a model who write at the same time are in a few versions, not in thousands', async () => {
  const house = await versionsHouse({ 'A.md': '' });
  house.runs.set([answerRun('run-9', 'A.md')]);
  const { session, release } = await house.notes.hold('A.md');
  for (let n = 0; n < 200; n++)
    session.edit(n % 2 ? 'run-9' : 'window-1', { from: session.text().length, insert: `${n} ` });
  release();
  const entries = await house.entries('A.md');
  expect(entries.length).toBeLessThan(6);
  expect(entries[0]?.by.map(({ kind }) => kind).toSorted()).toEqual(['model', 'you']);
});

test('while somebody types a version is kept again and again', async () => {
  const house = await versionsHouse({ 'A.md': '' }, { interval: 1_000 });
  const { session, release } = await house.notes.hold('A.md');
  session.edit('window-1', { from: 0, insert: 'first' });
  const kept = () => house.versions.followTimeline('A.md', AbortSignal.timeout(20_000));
  for await (const { entries } of kept()) if (entries.some(({ by }) => by[0]?.kind === 'you')) break;
  session.edit('window-1', { from: 5, insert: ' second' });
  release();
  expect(await house.texts('A.md')).toEqual(['', 'first', 'first second']);
});

test('a restore brings exactly the bytes back: line ends, the mark at the beginning, odd characters', async () => {
  const odd = '\uFEFFone\r\ntwo\u2028still two\nthree\r\n';
  const house = await versionsHouse({ 'Cafe\u0301.md': odd });
  await house.known();
  await house.call('c', () => house.put('Cafe\u0301.md', 'flat\n'));
  await house.heard(async () => (await house.entries('Cafe\u0301.md')).length === 2);
  const [, first] = await house.entries('Cafe\u0301.md');
  const { basis } = await house.versions.preview('Cafe\u0301.md', first?.id ?? '');
  await house.versions.restore('Cafe\u0301.md', first?.id ?? '', basis, null);
  expect(await house.read('Cafe\u0301.md')).toBe(odd);
  expect(story(await house.entries('Cafe\u0301.md')).at(-1)).toBe('you restored');
});

test('a restore of line ends alone is a change that is saved', async () => {
  const house = await versionsHouse({ 'A.md': 'one\r\ntwo\r\n' });
  await house.known();
  await house.put('A.md', 'one\ntwo\n');
  await house.heard(async () => (await house.entries('A.md')).length === 2);
  const [, first] = await house.entries('A.md');
  const diff = await house.versions.preview('A.md', first?.id ?? '');
  expect(diff).toMatchObject({ hunks: [], endsOnly: true });
  await house.versions.restore('A.md', first?.id ?? '', diff.basis, null);
  expect(await house.read('A.md')).toBe('one\r\ntwo\r\n');
});

test('one hunk is restored, the other stays, and the restore can be taken back', async () => {
  const house = await versionsHouse({ 'A.md': 'one\na\nb\nc\nd\ntwo\n' });
  await house.known();
  await house.put('A.md', 'ONE\na\nb\nc\nd\nTWO\n');
  await house.heard(async () => (await house.entries('A.md')).length === 2);
  const [second, first] = await house.entries('A.md');
  const diff = await house.versions.preview('A.md', first?.id ?? '');
  expect(diff.hunks.map(({ line }) => line)).toEqual([1, 6]);
  await house.versions.restore('A.md', first?.id ?? '', diff.basis, [1]);
  expect(await house.read('A.md')).toBe('ONE\na\nb\nc\nd\ntwo\n');
  const back = await house.versions.preview('A.md', second?.id ?? '');
  await house.versions.restore('A.md', second?.id ?? '', back.basis, null);
  expect(await house.read('A.md')).toBe('ONE\na\nb\nc\nd\nTWO\n');
});

test('what was typed elsewhere between preview and restore stays; in the same lines it is refused, and nothing changes', async () => {
  const house = await versionsHouse({ 'A.md': 'one\na\nb\nc\nd\ntwo\n' });
  await house.known();
  await house.put('A.md', 'ONE\na\nb\nc\nd\ntwo\n');
  await house.heard(async () => (await house.entries('A.md')).length === 2);
  const id = (await house.entries('A.md'))[1]?.id ?? '';
  const { basis } = await house.versions.preview('A.md', id);
  await house.type('A.md', 'typed\n');
  await house.versions.restore('A.md', id, basis, null);
  expect(await house.read('A.md')).toBe('one\na\nb\nc\nd\ntwo\ntyped\n');

  const again = await house.versions.preview('A.md', (await house.entries('A.md')).at(-2)?.id ?? '');
  const { session, release } = await house.notes.hold('A.md');
  session.edit('window-1', { from: 0, to: 3, insert: 'mine' });
  const text = session.text();
  await expect(house.versions.restore('A.md', id, again.basis, null)).rejects.toMatchObject({
    code: 'versions.changed',
    details: { hunks: [0] },
  });
  expect(session.text()).toBe(text);
  release();
});

test('history follows a note that is renamed, by the app and by another program', async () => {
  const house = await versionsHouse({ 'A.md': 'one\n', 'Other.md': 'else\n' });
  await house.known();
  await house.versions.settled();
  await house.vault.rename('A.md', 'B.md');
  await house.type('B.md', 'two\n');
  await house.notes.leaveVault();
  await house.versions.settled();
  await rename(join(house.root, 'B.md'), join(house.root, 'C.md'));
  await house.heard(async () => (await house.entries('C.md')).length === 4);
  expect(story(await house.entries('C.md'))).toEqual([
    'nobody found',
    'you moved',
    'you changed',
    'disk moved',
  ]);
  expect(await house.texts('C.md')).toEqual(['one\n', 'one\ntwo\n']);
});

test.for([
  ['soon', 0],
  ['more than a second', 1_200],
] as const)('history follows a note that goes first and comes %s later', async ([_, ms]) => {
  const house = await versionsHouse({ 'A.md': 'one\n', 'Empty.md': '' });
  await house.known();
  await unlink(join(house.root, 'A.md'));
  await unlink(join(house.root, 'Empty.md'));
  await house.heard(async () => (await house.versions.deleted()).notes.length > 0);
  await new Promise((resolve) => setTimeout(resolve, ms));
  await house.put('New.md', '');
  await house.put('B.md', 'one\n');
  await house.heard(async () => (await house.entries('B.md')).length > 0);
  await house.heard(async () => (await house.entries('New.md')).length > 0);
  expect(story(await house.entries('B.md'))).toEqual(['nobody found', 'disk moved']);
  expect(story(await house.entries('New.md'))).toEqual(['disk created']);
  expect((await house.versions.deleted()).notes.map(({ path }) => path)).not.toContain('A.md');
  await house.restart();
  expect(story(await house.entries('B.md'))).toEqual(['nobody found', 'disk moved']);
});

test('history follows an open note that another program renames while somebody types in it', async () => {
  const house = await versionsHouse({ 'A.md': 'one\n' });
  await house.known();
  const { session, release } = await house.notes.hold('A.md');
  session.edit('window-a', { from: 0, insert: 'typed ' });
  await house.notes.save('A.md');
  await house.versions.settled();
  session.edit('window-a', { from: 0, insert: 'more ' });
  await house.notes.save('A.md');
  await rename(join(house.root, 'A.md'), join(house.root, 'B.md'));
  await house.put('A.md', 'another note\n');
  await house.heard(async () => session.path === 'B.md');
  // The disk is looked at before the session keeps its next text.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  session.edit('window-a', { from: 0, insert: 'and more ' });
  await house.notes.save('B.md');
  await house.heard(async () => (await house.entries('B.md')).length > 2);
  release();
  await house.notes.leaveVault();
  await house.versions.settled();
  expect((await house.versions.deleted()).notes).toEqual([]);
  const told = story(await house.entries('B.md'));
  expect(told).toEqual(['nobody found', 'you changed', 'disk moved', 'you changed']);
  expect(await house.texts('A.md')).toEqual(['another note\n']);
});

test('a note in the trash, and one that another program removed, come back with their history', async () => {
  const house = await versionsHouse({ 'A.md': 'one\n', 'B.md': 'bee\n', 'C.md': 'sea\n' });
  await house.known();
  await house.type('A.md', 'two');
  await house.vault.trash('A.md');
  await unlink(join(house.root, 'B.md'));
  await house.heard(async () => (await house.versions.deleted()).notes.length === 2);
  const { notes } = await house.versions.deleted();
  expect(notes.map(({ path, how }) => [path, how]).toSorted()).toEqual([
    ['A.md', 'trashed'],
    ['B.md', 'deleted'],
  ]);
  for (const { id } of notes) await house.versions.restoreDeleted(id);
  expect([await house.read('A.md'), await house.read('B.md')]).toEqual(['one\ntwo', 'bee\n']);
  expect((await house.versions.deleted()).notes).toEqual([]);
  expect(story(await house.entries('A.md')).slice(-2)).toEqual(['you gone', 'you restored']);
});

test('a trashed note that is written again, with whatever it says by then, goes on with its history', async () => {
  const house = await versionsHouse({ 'A.md': 'one\n' });
  await house.known();
  await house.type('A.md', 'two\n');
  await house.vault.trash('A.md');
  expect(await house.versions.writeAgain('A.md', { base: '', text: 'one\ntwo\nthree\n' })).toEqual({
    path: 'A.md',
  });
  expect(await house.read('A.md')).toBe('one\ntwo\nthree\n');
  expect((await house.versions.deleted()).notes).toEqual([]);
  expect(story(await house.entries('A.md'))).toEqual([
    'nobody found',
    'you changed',
    'you gone',
    'you restored',
  ]);
  await house.type('A.md', 'four\n');
  expect(await house.texts('A.md')).toEqual([
    'one\n',
    'one\ntwo\n',
    'one\ntwo\nthree\n',
    'one\ntwo\nthree\nfour\n',
  ]);
  await house.restart();
  expect((await house.versions.deleted()).notes).toEqual([]);
  expect(await house.entries('A.md')).toHaveLength(5);
});

test('a note that is brought back and written again at one moment, each twice, is there once, with what each had of it', async () => {
  const house = await versionsHouse({ 'A.md': 'one\n' });
  await house.known();
  await house.type('A.md', 'two\n');
  await house.vault.trash('A.md');
  const [deleted] = (await house.versions.deleted()).notes;
  const words = { base: 'one\ntwo\n', text: 'one\ntwo\nnot arrived\n' };
  const bring = () => house.versions.restoreDeleted(deleted?.id ?? '');
  const again = () => house.versions.writeAgain('A.md', words);
  expect(await Promise.all([bring(), again(), bring(), again()])).toEqual(Array(4).fill({ path: 'A.md' }));
  expect(house.vault.entries().map(({ path }) => path)).toEqual(['A.md']);
  expect(await house.read('A.md')).toBe('one\ntwo\nnot arrived\n');
  expect((await house.versions.deleted()).notes).toEqual([]);
  expect(await house.texts('A.md')).toEqual(['one\n', 'one\ntwo\n', 'one\ntwo\n', 'one\ntwo\nnot arrived\n']);
  expect(house.stands.at(-1)).toEqual({ from: 'A.md', text: words.text });
});

test('where no versions are kept a note is written again once, too', async () => {
  const house = await versionsHouse({ 'A.md': 'one\n' }, { keep: false });
  await house.vault.trash('A.md');
  const again = (text: string) => house.versions.writeAgain('A.md', { base: 'one\n', text });
  await Promise.all([again('one\ntwo\n'), again('one\ntwo\n'), again('three\none\n')]);
  expect(house.vault.entries().map(({ path }) => path)).toEqual(['A.md']);
  expect(await house.read('A.md')).toBe('three\none\ntwo\n');
  await house.vault.trash('A.md');
  await again('one\nlater\n');
  expect(await house.read('A.md')).toBe('one\nlater\n');
});

test('all of a version that is restored twice is restored once', async () => {
  const house = await versionsHouse({ 'A.md': 'one\n' });
  await house.known();
  await house.type('A.md', 'two\n');
  const [, first] = await house.entries('A.md');
  const { basis } = await house.versions.preview('A.md', first?.id ?? '');
  const restore = () => house.versions.restore('A.md', first?.id ?? '', basis, null);
  expect(await Promise.all([restore(), restore()])).toEqual([{ saved: true }, { saved: true }]);
  expect(await house.texts('A.md')).toEqual(['one\n', 'one\ntwo\n', 'one\n']);
});

test('a note that is written again where nothing is kept of it, or another has its place, is made', async () => {
  const house = await versionsHouse({ 'A.md': 'old\n', 'B.md': 'bee\n' });
  await house.known();
  await house.vault.trash('A.md');
  await house.vault.create('A.md', 'another\n');
  expect(await house.versions.writeAgain('A.md', { base: '', text: 'old\n' })).toEqual({ path: 'A 2.md' });
  expect([await house.read('A.md'), await house.read('A 2.md')]).toEqual(['another\n', 'old\n']);
  const elsewhere = { base: '', text: 'new\n', vault: { root: '/elsewhere', id: 'another' } };
  await expect(house.versions.writeAgain('New.md', elsewhere)).rejects.toMatchObject({
    code: 'vault.not-found',
  });
  expect(await house.versions.writeAgain('New.md', { base: '', text: 'new\n' })).toEqual({ path: 'New.md' });
  await house.vault.trash('B.md');
  await house.versions.forget({ kind: 'deleted', id: null });
  expect(await house.versions.writeAgain('B.md', { base: '', text: 'bee\n' })).toEqual({ path: 'B.md' });
  expect(story(await house.entries('B.md'))).toEqual(['you created']);
});

test.for([
  ['what it said last', 'one\ntwo\n'],
  ['what it said once', 'one\n'],
] as const)(
  'a trashed note that another program puts back with %s goes on with its history',
  async ([, text]) => {
    const house = await versionsHouse({ 'A.md': 'one\n', 'Other.md': 'else\n' });
    await house.known();
    await house.type('A.md', 'two\n');
    await house.vault.trash('A.md');
    await house.versions.settled();
    await house.put('A.md', text);
    await house.heard(async () => (await house.versions.deleted()).notes.length === 0);
    expect(story(await house.entries('A.md'))).toEqual([
      'nobody found',
      'you changed',
      'you gone',
      'disk restored',
    ]);
  },
);

test('a note that comes back with its own id goes on with its history; an empty one, or one that says something else, is another', async () => {
  const house = await versionsHouse({
    'A.md': '---\nid: N-1\n---\none\n',
    'B.md': '',
    'C.md': 'sea\n',
    'Other.md': 'else\n',
  });
  await house.known();
  for (const path of ['A.md', 'B.md', 'C.md']) await unlink(join(house.root, path));
  await house.heard(async () => (await house.versions.deleted()).notes.length === 3);
  await house.put('A.md', '---\nid: N-1\n---\nquite another text\n');
  await house.put('B.md', '');
  await house.put('C.md', 'something else\n');
  await house.heard(async () => (await house.entries('C.md')).length === 1);
  const { notes } = await house.versions.deleted();
  expect(notes.map(({ path }) => path).toSorted()).toEqual(['B.md', 'C.md']);
  expect(story(await house.entries('A.md'))).toEqual(['nobody found', 'disk gone', 'disk restored']);
});

test('a note that comes back while the app is closed is not among the deleted ones', async () => {
  const house = await versionsHouse({ 'A.md': 'one\n', 'Other.md': 'else\n' });
  await house.known();
  await house.vault.trash('A.md');
  await house.versions.settled();
  await house.restart();
  await house.put('A.md', 'one\n');
  await house.restart();
  await house.known();
  expect((await house.versions.deleted()).notes).toEqual([]);
  expect(story(await house.entries('A.md'))).toEqual(['nobody found', 'you gone', 'disk restored']);
});

test('a note that comes back and is typed in at once goes on with its history', async () => {
  const house = await versionsHouse({ 'A.md': 'one\n', 'Other.md': 'else\n' });
  await house.known();
  await house.vault.trash('A.md');
  await house.versions.settled();
  await house.put('A.md', 'one\n');
  await house.type('A.md', 'two\n');
  expect((await house.versions.deleted()).notes).toEqual([]);
  expect(await house.texts('A.md')).toEqual(['one\n', 'one\n', 'one\ntwo\n']);
});

test('an open note that another program deleted and that is saved again goes on with its history', async () => {
  const house = await versionsHouse({ 'A.md': 'one\n', 'Other.md': 'else\n' });
  await house.known();
  const { session, release } = await house.notes.hold('A.md');
  session.edit('window-1', { from: 4, insert: 'two\n' });
  await session.save();
  await unlink(join(house.root, 'A.md'));
  await house.heard(async () => session.saveState().kind === 'deleted');
  session.edit('window-1', { from: 8, insert: 'three\n' });
  await house.notes.save('A.md');
  expect(await house.read('A.md')).toBe('one\ntwo\nthree\n');
  release();
  await house.notes.leaveVault();
  expect((await house.versions.deleted()).notes).toEqual([]);
  const texts = await house.texts('A.md');
  expect([texts[0], texts.at(-1)]).toEqual(['one\n', 'one\ntwo\nthree\n']);
});

test('a deleted note whose place is taken comes back beside it', async () => {
  const house = await versionsHouse({ 'A.md': 'old\n', 'B.md': '' });
  await house.known();
  await house.vault.trash('A.md');
  await house.vault.create('A.md', 'new\n');
  const [deleted] = (await house.versions.deleted()).notes;
  expect(await house.versions.restoreDeleted(deleted?.id ?? '')).toEqual({ path: 'A 2.md' });
  expect([await house.read('A.md'), await house.read('A 2.md')]).toEqual(['new\n', 'old\n']);
  expect(await house.texts('A.md')).toEqual(['new\n']);
});

test.each([
  ['at its place', null, 'A.md'],
  ['beside its place', 'new\n', 'A 2.md'],
])(
  'a deleted note that came back %s when the app ended is not made a second time',
  async (_, other, path) => {
    for (const isKnown of [true, false]) {
      const house = await versionsHouse({ 'A.md': 'old\n', 'B.md': '' });
      await house.known();
      await house.vault.trash('A.md');
      if (other !== null) await house.vault.create('A.md', other);
      const [deleted] = (await house.versions.deleted()).notes;
      // The file was made, and nothing was written down about it.
      if (!isKnown) await house.put(path, 'old\n');
      else {
        await house.notes.leaveVault();
        await house.vault.close();
        await house.put(path, 'old\n');
        await house.restart();
        await house.known();
      }
      expect(await house.versions.restoreDeleted(deleted?.id ?? '')).toEqual({ path });
      await house.vault.sweep();
      const paths = house.vault.entries().map((entry) => entry.path);
      expect(paths.toSorted()).toEqual([...(other === null ? [] : ['A 2.md']), 'A.md', 'B.md']);
    }
  },
);

test('a change by a tool says so; where the call names the note it is certain, else “while it ran”', async () => {
  const house = await versionsHouse({ 'A.md': 'one\n', 'B.md': 'bee\n' });
  await house.known();
  const write = { arguments: { path: join(house.root, 'A.md') } };
  await house.call(
    'c1',
    async () => {
      await house.put('A.md', 'ONE\n');
      await house.put('B.md', 'BEE\n');
      await house.heard(async () => (await house.texts('B.md')).length === 2);
    },
    write,
  );
  await house.heard(async () => (await house.texts('A.md')).length === 2);
  expect(story(await house.entries('A.md')).at(-1)).toBe('write changed');
  expect(story(await house.entries('B.md')).at(-1)).toBe('write? changed');
});

test('what another program wrote is kept soon also while something in the vault changes all the time', async () => {
  const house = await versionsHouse({ 'A.md': 'one\n' });
  await house.known();
  let turn = 0;
  const busy = setInterval(() => {
    writeFileSync(join(house.root, 'log.txt'), `${turn}`);
    writeFileSync(join(house.root, 'Log.md'), `${turn++}`);
  }, 100);
  onTestFinished(() => clearInterval(busy));
  const first = new AbortController();
  const kept = (async () => {
    for await (const { entries } of house.versions.followTimeline('B.md', first.signal))
      if (entries.length > 0) return turn;
    return null;
  })();
  await house.put('B.md', 'two\n');
  await expect.poll(() => kept, { timeout: 20_000 }).not.toBe(null);
});

test('what changes while a tool runs that only reads was changed by another program', async () => {
  const house = await versionsHouse({ 'A.md': 'one\n' });
  await house.known();
  const work = async () => {
    await house.put('A.md', 'ONE\n');
    await house.heard(async () => (await house.texts('A.md')).length === 2);
  };
  await house.call('c1', work, { readOnly: true, arguments: { path: 'A.md' } });
  expect(story(await house.entries('A.md')).at(-1)).toBe('disk changed');
});

test('all notes that an answer’s tools changed, made, moved and removed come back; what others wrote stays', async () => {
  const house = await versionsHouse({
    'Chat.md': '#User : tidy up',
    'A.md': 'one\na\nb\nc\ntwo\n',
    'B.md': 'bee\n',
    'C.md': 'sea\n',
    'D.md': 'dee\r\n',
  });
  await house.known();
  await house.call('c1', async () => {
    await house.put('A.md', 'ONE\na\nb\nc\nTWO\n');
    await rename(join(house.root, 'B.md'), join(house.root, 'Bee.md'));
    await unlink(join(house.root, 'C.md'));
    await house.put('D.md', 'dee\nddd\n');
    await house.put('New.md', 'new\n');
    await house.heard(async () => (await house.texts('New.md')).length === 1);
    await house.heard(async () => (await house.texts('A.md')).length === 2);
  });
  await house.type('A.md', 'mine\n');
  await house.type('D.md', 'mine too\n');
  const [known] = await house.versions.answers('Chat.md');
  expect(known).toMatchObject({ runId: answer.runId, notes: 5 });
  const { notes } = await house.versions.beforeAnswer(answer.runId);
  expect(notes.map(({ path, change }) => [path, change.kind])).toEqual([
    ['A.md', 'text'],
    ['Bee.md', 'moved'],
    ['C.md', 'deleted'],
    ['D.md', 'text'],
    ['New.md', 'created'],
  ]);
  const chosen = notes.map(({ note, path, change }) => ({
    note,
    basis: change.kind === 'text' || change.kind === 'moved' ? change.diff.basis : null,
    hunks: path === 'A.md' ? [0] : null,
  }));
  expect(await restorable(house)).toEqual([{ startedAt: 1, lastAt: known?.lastAt }]);
  const restored = await house.versions.restoreBeforeAnswer(answer.runId, chosen);
  expect(restored.notes.map(({ problem }) => problem)).toEqual([null, null, null, null, null]);
  expect(await house.read('A.md')).toBe('one\na\nb\nc\nTWO\nmine\n');
  expect(await house.read('B.md')).toBe('bee\n');
  expect(await house.read('C.md')).toBe('sea\n');
  expect((await house.read('D.md')).replaceAll('\r', '')).toBe('dee\nmine too\n');
  await expect(house.read('New.md')).rejects.toThrow();
  expect((await house.versions.beforeAnswer(answer.runId)).notes.map(({ change }) => change.kind)).toEqual([
    'text',
    'nothing',
    'nothing',
    'nothing',
    'nothing',
  ]);
  const [rest] = (await house.versions.beforeAnswer(answer.runId)).notes;
  const basis = rest?.change.kind === 'text' ? rest.change.diff.basis : null;
  await house.versions.restoreBeforeAnswer(answer.runId, [{ note: rest?.note ?? '', basis, hunks: null }]);
  await house.versions.settled();
  expect(await house.read('A.md')).toBe('one\na\nb\nc\ntwo\nmine\n');
  expect(await restorable(house)).toEqual([]);
});

async function restorable({ versions }: Awaited<ReturnType<typeof versionsHouse>>) {
  for await (const answers of versions.followRestorable('Chat.md', AbortSignal.timeout(5_000)))
    return answers;
  return null;
}

test('a version that was damaged is said to be so', async () => {
  const house = await versionsHouse({ 'A.md': 'one\n' });
  await house.known();
  await house.call('c1', async () => {
    await house.put('A.md', 'two\n');
    await house.heard(async () => (await house.texts('A.md')).length === 2);
  });
  const [, first] = await house.entries('A.md');
  for (const file of readdirSync(join(house.data, 'versions'), { recursive: true, encoding: 'utf8' }))
    if (/objects\/..\/./.test(file)) writeFileSync(join(house.data, 'versions', file), 'x');
  await expect(house.versions.read('A.md', first?.id ?? '')).rejects.toMatchObject({
    code: 'versions.damaged',
  });
  const { notes } = await house.versions.beforeAnswer(answer.runId);
  expect(notes.map(({ change }) => change)).toEqual([{ kind: 'unknown' }]);
  await house.versions.restoreBeforeAnswer(
    answer.runId,
    notes.map(({ note }) => ({ note, basis: null, hunks: null })),
  );
  expect(await house.read('A.md')).toBe('two\n');
});

test.for(['typed in', 'only read'])(
  'a note that another program deleted while it was open, %s, comes back once it is closed, without a restart',
  async (how) => {
    const house = await versionsHouse({ 'A.md': 'one\n', 'B.md': 'bee\n' });
    await house.known();
    const { session, release } = await house.notes.hold('A.md');
    if (how === 'typed in') session.edit('window-1', { from: 4, insert: 'two\n' });
    await session.save();
    const text = session.text();
    await house.call('c1', async () => {
      await unlink(join(house.root, 'A.md'));
      await house.heard(async () => session.saveState().kind === 'deleted');
    });
    expect((await house.versions.deleted()).notes, 'listed while it is open').toHaveLength(1);
    release();
    await house.heard(async () => house.notes.opened('A.md') === undefined);
    expect(story(await house.entries('A.md')).at(-1)).toBe('write? gone');
    const [note] = (await house.versions.deleted()).notes;
    expect(note).toMatchObject({ path: 'A.md', how: 'deleted', by: [{ kind: 'tool', callId: 'c1' }] });
    await house.versions.restoreDeleted(note!.id);
    expect(await house.read('A.md')).toBe(text);
    expect((await house.versions.deleted()).notes).toEqual([]);
    await house.restart();
    await house.known();
    expect((await house.versions.deleted()).notes).toEqual([]);
  },
);

/** Typed, deleted by another program, and typed on. */
async function deletedWhileTyping() {
  const house = await versionsHouse({ 'A.md': 'one\n', 'B.md': 'bee\n' }, { interval: 1_000 });
  await house.known();
  const { session, release } = await house.notes.hold('A.md');
  const type = (insert: string) => session.edit('window-1', { from: session.text().length, insert });
  type('two\n');
  await session.save();
  type('unsaved\n');
  await unlink(join(house.root, 'A.md'));
  await house.heard(async () => session.saveState().kind === 'deleted');
  const listed = async () => (await house.versions.deleted()).notes;
  expect(await listed()).toMatchObject([{ path: 'A.md', how: 'deleted', by: [{ kind: 'disk' }] }]);
  const { at } = (await listed())[0]!;
  type('more\n');
  // A version of it is kept meanwhile.
  await house.heard(async () => (await house.texts('A.md')).at(-1)?.includes('more') === true);
  type('last\n');
  expect(await listed()).toMatchObject([{ path: 'A.md', at }]);
  return { house, release, listed };
}

const text = 'one\ntwo\nunsaved\nmore\nlast\n';

test('a note that another program deleted while somebody types is known to be gone at once, and has all words when it comes back after its window', async () => {
  const { house, release, listed } = await deletedWhileTyping();
  release();
  await house.heard(async () => house.notes.opened('A.md') === undefined);
  const notes = await listed();
  expect(notes).toMatchObject([{ path: 'A.md', how: 'deleted' }]);
  expect(await house.versions.read('A.md', notes[0]?.id ?? '')).toBe(text);
  const times = (await house.entries('A.md')).map(({ at }) => at);
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  expect(await house.versions.restoreDeleted(notes[0]?.id ?? '')).toEqual({ path: 'A.md' });
  expect(await house.read('A.md')).toBe(text);
  const told = story(await house.entries('A.md'));
  expect(told.filter((entry) => entry.endsWith('gone'))).toEqual(['disk gone']);
  expect(told.slice(-2)).toEqual(['you changed', 'you restored']);
  await house.restart();
  expect(await listed()).toEqual([]);
});

test('a deleted note that is brought back while a window has it open says what the window says', async () => {
  const { house, release, listed } = await deletedWhileTyping();
  const id = (await listed())[0]?.id ?? '';
  const bring = () => house.versions.restoreDeleted(id);
  expect(await Promise.all([bring(), bring()])).toEqual(Array(2).fill({ path: 'A.md' }));
  expect(await house.read('A.md')).toBe(text);
  expect(await listed()).toEqual([]);
  expect(story(await house.entries('A.md')).at(-1)).toBe('you restored');
  release();
  await house.type('A.md', 'afterwards\n');
  expect((await house.texts('A.md')).at(-1)).toBe(`${text}afterwards\n`);
  expect(
    house.vault
      .entries()
      .map(({ path }) => path)
      .toSorted(),
  ).toEqual(['A.md', 'B.md']);
});

test('everything is there after a restart, and what changed meanwhile is known to have', async () => {
  const house = await versionsHouse({ 'A.md': 'one\n', 'B.md': 'bee\n', 'Gone.md': 'x\n' });
  await house.known();
  await house.type('A.md', 'two\n');
  await house.restart();
  await house.known();
  expect(await house.texts('A.md')).toEqual(['one\n', 'one\ntwo\n']);
  await house.notes.leaveVault();
  await house.vault.close();
  await house.put('B.md', 'BEE\n');
  await rm(join(house.root, 'Gone.md'));
  await house.restart();
  await house.known();
  expect(story(await house.entries('B.md'))).toEqual(['nobody found', 'disk changed']);
  expect((await house.versions.deleted()).notes.map(({ path }) => path)).toEqual(['Gone.md']);
});

test('switched off, nothing more is kept, and what was kept is still there', async () => {
  const house = await versionsHouse({ 'A.md': 'one\n' });
  await house.known();
  house.settings.change({ versions: { keep: false } });
  await house.type('A.md', 'two\n');
  expect(await house.texts('A.md')).toEqual(['one\n']);
  expect((await house.versions.timeline('A.md')).state).toEqual({ kind: 'off' });
  const seen: string[] = [];
  for await (const { state } of house.versions.followTimeline('A.md', AbortSignal.timeout(20_000))) {
    seen.push(state.kind);
    if (state.kind === 'on') break;
    house.settings.change({ versions: { keep: true } });
  }
  expect(seen).toEqual(['off', 'on']);
});

test('who wrote what was saved, and what was not yet, is known after the app was killed', async () => {
  const house = await versionsHouse({
    'Saved.md': 'one\n',
    'Typed.md': 'one\n',
    'Answered.md': '#User : hi',
  });
  await house.known();
  await house.type('Saved.md', 'two\n');
  house.runs.set([answerRun('run-9', 'Answered.md')]);
  await house.type('Answered.md', '\n\n#Bot : hello', 'run-9');
  const { session, release } = await house.notes.hold('Typed.md');
  session.edit('window-1', { from: 4, insert: 'two\n' });
  await house.killed(() => house.put('Saved.md', 'one\ntwo\nthree\n'));
  release();
  await house.heard(async () => (await house.read('Typed.md')) === 'one\ntwo\n');
  await house.known();
  expect(story(await house.entries('Typed.md'))).toEqual(['nobody found', 'you changed']);
  expect(story(await house.entries('Answered.md'))).toEqual(['nobody found', 'model changed']);
  expect(story(await house.entries('Saved.md'))).toEqual(['nobody found', 'you changed', 'disk changed']);
  expect(await house.texts('Saved.md')).toEqual(['one\n', 'one\ntwo\n', 'one\ntwo\nthree\n']);
});
