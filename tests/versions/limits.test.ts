import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { extent } from '../support/extent';
import { smallDisk } from '../support/small-disk';
import { story, versionsHouse } from './house';

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name), { throwIfNoEntry: false }))
    .reduce((sum, found) => sum + (found?.isFile() ? found.size : 0), 0);
}

/** As hard to compress as text ever is. */
function noise(length: number): string {
  const bytes = Buffer.alloc(Math.ceil((length * 3) / 4));
  for (let at = 0; at < bytes.length; at += 6)
    bytes.writeUIntLE(Math.floor(Math.random() * 2 ** 48), at, Math.min(6, bytes.length - at));
  return bytes.toString('base64').replace(/.{80}/g, '$&\n').slice(0, length);
}

test('300 replacements of 1 MB stay under 50 MB; the share of every day stays under a quarter of its limit', async () => {
  const count = extent(20, 300);
  const megabytes = extent(25, 200);
  const house = await versionsHouse({ 'A.md': 'small\n' }, { megabytes });
  await house.known();
  const { session, release } = await house.notes.hold('A.md');
  const texts = Array.from({ length: 7 }, () => noise(1_000_000));
  let [largest, last] = [0, ''];
  for (let n = 0; n < count; n++) {
    last = `${n}\n${texts[n % 7]}`;
    // Another hand each time: each of them is to be kept.
    session.replace(`restore-${n}`, last);
    await house.versions.settled();
    if (n % 10 === 9) largest = Math.max(largest, sizeOf(join(house.data, 'versions')));
  }
  process.stdout.write(`versions of ${count} MB take at most ${(largest / 1e6).toFixed(1)} MB\n`);
  expect(largest).toBeLessThan(megabytes * 0.25e6);
  expect(await house.versions.read('A.md', (await house.entries('A.md'))[0]?.id ?? '')).toBe(last);
  release();
}, 300_000);

test('what could not be kept for a while is kept, and no longer said to fail, without another change', async () => {
  const house = await versionsHouse({ 'A.md': 'one\n', 'B.md': 'bee\n', 'C.md': 'sea\n' });
  await house.known();
  const [folder = ''] = readdirSync(join(house.data, 'versions'));
  const lock = join(house.data, 'versions', folder, 'lock');
  rmSync(lock);
  mkdirSync(lock);
  for (const path of ['A.md', 'B.md', 'C.md']) {
    await house.type(path, 'more\n');
    await house.versions.settled();
  }
  rmSync(lock, { recursive: true });
  await house.heard(async () => (await house.versions.timeline('A.md')).state.kind === 'on');
  for (const path of ['A.md', 'B.md', 'C.md'])
    await house.heard(async () => (await house.texts(path)).at(-1)?.endsWith('more\n') === true);
  expect(story(await house.entries('A.md'))).toEqual(['nobody found', 'you changed']);
  expect(house.troubles).toHaveLength(1);
});

test('where nothing can be kept it is said once, the note is saved as ever, and versions go on when it passes', async () => {
  const house = await versionsHouse({ 'A.md': 'one\n' });
  await house.known();
  const [folder = ''] = readdirSync(join(house.data, 'versions'));
  const lock = join(house.data, 'versions', folder, 'lock');
  rmSync(lock);
  mkdirSync(lock);
  for (const line of ['two', 'three']) {
    await house.type('A.md', `${line}\n`);
    await house.versions.settled();
  }
  expect((await house.versions.timeline('A.md')).state).toMatchObject({ kind: 'failing' });
  expect(await house.read('A.md')).toBe('one\ntwo\nthree\n');
  expect(house.troubles).toHaveLength(1);

  rmSync(lock, { recursive: true });
  await house.type('A.md', 'four\n');
  await house.versions.settled();
  expect((await house.versions.timeline('A.md')).state).toEqual({ kind: 'on' });
  expect(await house.texts('A.md')).toEqual([
    'one\n',
    'one\ntwo\n',
    'one\ntwo\nthree\n',
    'one\ntwo\nthree\nfour\n',
  ]);
});

test('a full disk costs versions, and nothing of the note', async () => {
  const house = await versionsHouse({ 'A.md': 'one\n' });
  const place = join(house.data, 'versions');
  mkdirSync(place);
  const unmount = await smallDisk(place, '256k');
  if (!unmount) return;
  onTestFinished(async () => void (await unmount()));
  await house.known();
  const { session, release } = await house.notes.hold('A.md');
  const big = noise(900_000);
  session.replace('restore-1', big);
  await house.versions.settled();
  await session.save();
  expect(await house.read('A.md')).toBe(big);
  expect((await house.versions.timeline('A.md')).state).toMatchObject({ kind: 'failing', state: 'full' });
  session.replace('restore-2', 'small again\n');
  await house.versions.settled();
  expect((await house.versions.timeline('A.md')).state).toEqual({ kind: 'on' });
  expect((await house.texts('A.md')).at(-1)).toBe('small again\n');
  release();
});

test('a file where the versions should be keeps its content under another name', async () => {
  const house = await versionsHouse({ 'A.md': 'one\n' });
  writeFileSync(join(house.data, 'versions'), 'precious');
  await house.known();
  expect(await house.texts('A.md')).toEqual(['one\n']);
  const aside = readdirSync(house.data).find((name) => name.startsWith('versions.damaged-'));
  expect(readFileSync(join(house.data, aside ?? ''), 'utf8')).toBe('precious');
});

test('a vault of many notes is known soon', async () => {
  const files = Object.fromEntries(
    Array.from({ length: extent(150, 10_000) }, (_, n) => [
      `${n % 20}/Note ${n}.md`,
      `# Note ${n}\n\n${'Some words. '.repeat(200)}`,
    ]),
  );
  const house = await versionsHouse(files);
  const began = performance.now();
  await house.known();
  const took = performance.now() - began;
  process.stdout.write(`${Object.keys(files).length} notes known after ${took.toFixed(0)} ms\n`);
  expect(story(await house.entries('7/Note 7.md'))).toEqual(['nobody found']);
}, 300_000);
