import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../foundation';
import { asObject, createStore, type NewRecord, newId } from './store';

function house(limits = { size: 1e9, age: 1e12 }) {
  const folder = mkdtempSync(join(tmpdir(), 'versions-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const damage: number[] = [];
  let at = 1;
  const open = () =>
    createStore({
      folder: join(folder, 'v'),
      name: '/vault',
      log: createLog(() => undefined),
      limits: () => limits,
      now: () => at,
      onSetAside: () => undefined,
      onDamage: (_file, lines) => damage.push(lines),
    });
  const record = async (text: string, note = 'n', path = 'A.md'): Promise<NewRecord> => ({
    kind: 'text',
    ...{
      note,
      id: newId(),
      at: at++,
      path,
      by: [],
      cause: 'changed',
      added: null,
      removed: null,
      seen: null,
    },
    ...(await asObject(text)),
  });
  const texts = async (store: ReturnType<typeof open>, path = 'A.md') => {
    const entries = (await store.list()).at(path)?.entries ?? [];
    return Promise.all(
      entries.map(
        async (entry) => entry.kind === 'text' && (await store.text(entry.object))?.toString('utf8'),
      ),
    );
  };
  return { folder: join(folder, 'v'), open, record, texts, damage };
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, found) => sum + (found.isFile() ? found.size : 0), 0);
}

test('what was kept is there for the next process, byte for byte, and closed to others', async () => {
  const { folder, open, record, texts } = house();
  const odd = '\uFEFFone\r\ntwo\rthree\u2028four\u0000e\u0301\n';
  const first = open();
  for (const text of [odd, 'plain', '']) await first.add(async () => [await record(text)]);
  expect(await texts(open())).toEqual([odd, 'plain', '']);
  for (const name of ['index.log', 'objects']) expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
});

test('the same text is stored once', async () => {
  const { folder, open, record } = house();
  const store = open();
  for (let n = 0; n < 5; n++) await store.add(async () => [await record('the same')]);
  const files = readdirSync(join(folder, 'objects'), { recursive: true, encoding: 'utf8' });
  expect(files.filter((name) => name.includes('/'))).toHaveLength(1);
});

test('a line that was cut off is left out and told; what comes after it is kept', async () => {
  const { folder, open, record, texts, damage } = house();
  await open().add(async () => [await record('one')]);
  appendFileSync(join(folder, 'index.log'), '12345678 {"kind":"te');
  const next = open();
  expect(await texts(next)).toEqual(['one']);
  expect(damage).toEqual([1]);
  await next.add(async () => [await record('two')]);
  expect(await texts(open())).toEqual(['one', 'two']);
});

test('a damaged line costs that version, and is told once', async () => {
  const { folder, open, record, texts, damage } = house();
  for (const text of ['one', 'two', 'three']) await open().add(async () => [await record(text)]);
  const lines = readFileSync(join(folder, 'index.log'), 'utf8').split('\n');
  writeFileSync(join(folder, 'index.log'), lines.with(2, `x${lines[2]}`).join('\n'));
  const store = open();
  expect(await texts(store)).toEqual(['one', 'three']);
  await store.prune();
  expect(await texts(open())).toEqual(['one', 'three']);
  expect(damage).toEqual([1]);
});

test('an object that was damaged is none', async () => {
  const { folder, open, record, texts } = house();
  await open().add(async () => [await record('one')]);
  const [file = ''] = readdirSync(join(folder, 'objects'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.includes('/'),
  );
  writeFileSync(join(folder, 'objects', file), 'no such thing');
  expect(await texts(open())).toEqual([undefined]);
});

test('two at once lose nothing, and each sees what the other kept', { timeout: 60_000 }, async () => {
  const { open, record, texts } = house();
  const stores = [open(), open()];
  await Promise.all(
    Array.from({ length: 10 }, (_, n) => stores[n % 2]?.add(async () => [await record(`text ${n}`)])),
  );
  expect((await texts(stores[0] as ReturnType<typeof open>)).toSorted()).toEqual(
    Array.from({ length: 10 }, (_, n) => `text ${n}`).toSorted(),
  );
  expect(await texts(stores[1] as ReturnType<typeof open>)).toHaveLength(10);
});

test('what is beyond the limits goes from the disk, the newest stays', { timeout: 60_000 }, async () => {
  const { folder, open, record, texts } = house({ size: 100_000, age: 1e12 });
  const store = open();
  const noise = () => Array.from({ length: 600 }, () => Math.random().toString(36)).join('\n');
  let last = '';
  for (let n = 0; n < 30; n++) {
    last = noise();
    await store.add(async () => [await record(last)]);
  }
  expect(sizeOf(folder)).toBeLessThan(60_000);
  expect((await texts(open())).at(-1)).toBe(last);
});

test('a folder where the index should be is set aside, and what is kept then is there', async () => {
  const { folder, open, record, texts } = house();
  mkdirSync(join(folder, 'index.log', 'own'), { recursive: true });
  const store = open();
  await store.add(async () => [await record('one')]);
  expect(await texts(store)).toEqual(['one']);
  const aside = readdirSync(folder).filter((name) => name.startsWith('index.log.damaged-'));
  expect(aside).toHaveLength(1);
  expect(readdirSync(join(folder, aside[0] ?? ''))).toEqual(['own']);
});

test.each<[string, (index: string) => void]>([
  ['emptied', (index) => writeFileSync(index, '')],
  ['missing', (index) => rmSync(index)],
  ['garbled', (index) => writeFileSync(index, 'no such thing\n'.repeat(3))],
])('an index that is %s is told once, and no text that it named goes before its age', async (_, damageIt) => {
  const limits = { size: 1e9, age: 100 };
  const { folder, open, record, texts, damage } = house(limits);
  const kept = await Promise.all(['one', 'two', 'three'].map((text) => record(text)));
  await open().add(async () => kept);
  damageIt(join(folder, 'index.log'));
  const objects = kept.flatMap((one) => (one.kind === 'text' ? [one.object] : []));
  const readable = async () => {
    const all = await Promise.all(objects.map((object) => open().text(object)));
    return all.filter((text) => text !== null).length;
  };
  for (let start = 0; start < 3; start++) {
    const store = open();
    await store.prune();
    await store.add(async () => [await record(`after ${start}`)]);
    await store.prune();
  }
  expect(damage).toEqual([3]);
  expect(await readable()).toBe(3);
  expect(await texts(open())).toEqual(['after 0', 'after 1', 'after 2']);
  limits.age = 0;
  await open().prune();
  expect(await readable()).toBe(0);
});

test('what lost its index goes when all is forgotten; what is forgotten alone goes alone', async () => {
  const { folder, open, record } = house();
  const [lost, one, two] = await Promise.all(['lost', 'one', 'two'].map((text) => record(text)));
  const store = open();
  const isThere = async (record: NewRecord | undefined) =>
    record?.kind === 'text' && (await store.text(record.object)) !== null;
  await store.add(async () => [lost!]);
  rmSync(join(folder, 'index.log'));
  await store.add(async () => [one!, two!]);
  await store.forget((list) => list.inOrder().slice(0, 1));
  expect(await Promise.all([lost, one, two].map(isThere))).toEqual([true, false, true]);
  await store.forget((list) => list.inOrder());
  expect(await Promise.all([lost, one, two].map(isThere))).toEqual([false, false, false]);
});

test('a text whose line was never written, for the app died at its first, is no loss', async () => {
  const { folder, open, record, damage } = house();
  const broken = { ...(await record('two')), text: null } as unknown as NewRecord;
  await expect(open().add(async () => [await record('one'), broken])).rejects.toThrow();
  const texts = () =>
    readdirSync(join(folder, 'objects'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\//.test(name),
    );
  await expect.poll(texts).toHaveLength(2);
  await open().prune();
  expect(damage).toEqual([]);
  expect(texts()).toEqual([]);
});
