import { unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { restoringHand } from '../../src/contract/notes';
import { versionsHouse } from './house';

/** A note that another program deleted. */
async function gone(text: string) {
  const house = await versionsHouse({ 'A.md': text });
  await house.known();
  await unlink(join(house.root, 'A.md'));
  const deleted = async () => (await house.versions.deleted()).notes.map(({ path }) => path);
  await house.heard(async () => (await deleted()).length === 1);
  return { ...house, deleted };
}

test.each([
  ['with lines that were typed behind it', 'one\ntwo\n', 'one\ntwo\nthree\n'],
  ['with words behind its last line', 'one', 'one and more\n'],
  ['with the line ends of a window', 'one\r\ntwo\r\n', 'one\ntwo\nthree\n'],
])('a note that is made again at its path is not listed as deleted, %s', async (_name, before, text) => {
  const { vault, deleted } = await gone(before);
  await vault.create('A.md', text);
  expect(await deleted()).toEqual([]);
});

test('a deleted note whose text is restored into the note that has its name now is listed no longer', async () => {
  const { vault, notes, versions, deleted } = await gone('one\ntwo\n');
  await vault.create('A.md', 'another\n');
  expect(await deleted()).toEqual(['A.md']);
  const { session, release } = await notes.hold('A.md');
  session.edit(`${restoringHand}1`, { from: 0, insert: 'one\ntwo\n' });
  await session.save();
  expect(await deleted()).toEqual([]);
  // It was there: that it is changed again later is told by the note's own history.
  session.edit('window-1', { from: 0, to: 8, insert: '' });
  await session.save();
  release();
  await versions.settled();
  expect(await deleted()).toEqual([]);
});

test('a deleted note is listed while only a part of it stands at its path', async () => {
  const { vault, deleted } = await gone('one\ntwo\nthree\n');
  await vault.create('A.md', 'one\nthree\n');
  expect(await deleted()).toEqual(['A.md']);
});

test('a deleted note is listed while words that it once had stand nowhere else', async () => {
  const house = await versionsHouse({ 'A.md': 'one\ntwo\n' });
  await house.known();
  const { session, release } = await house.notes.hold('A.md');
  session.edit('window-1', { from: 0, to: 4, insert: '' });
  await session.save();
  release();
  await house.known();
  await unlink(join(house.root, 'A.md'));
  const deleted = async () => (await house.versions.deleted()).notes.map(({ path }) => path);
  await house.heard(async () => (await deleted()).length === 1);
  await house.vault.create('A.md', 'two\nthree\n');
  expect(await deleted()).toEqual(['A.md']);
});

const long = `${'What a note says that is long enough to be known by it. '.repeat(2)}\n`;

test('a note that stands at its place again with more behind what it said has its history again, though the app was off', async () => {
  const house = await versionsHouse({ 'A.md': `first\n${long}` });
  await house.known();
  const { session, release } = await house.notes.hold('A.md');
  session.edit('window-1', { from: 0, to: 6, insert: '' });
  await session.save();
  release();
  await house.known();
  await unlink(join(house.root, 'A.md'));
  await house.heard(async () => (await house.versions.deleted()).notes.length === 1);
  await house.restart(async () => {
    await writeFile(join(house.root, 'A.md'), `${long}recovered\n`);
  });
  await house.known();
  expect(await house.texts('A.md')).toEqual([`first\n${long}`, long, `${long}recovered\n`]);
  expect((await house.versions.deleted()).notes).toEqual([]);
});
