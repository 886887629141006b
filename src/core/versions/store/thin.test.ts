import { expect, test } from 'vitest';
import type { VersionAuthor } from '../../../contract/versions';
import type { Entry, NoteRecord, TextEntry } from './note-list';
import { entriesToDrop } from './thin';

const hour = 3_600_000;
const day = 24 * hour;
const now = 1_000 * day;
const you: VersionAuthor = { kind: 'you' };
const disk: VersionAuthor = { kind: 'disk' };

let number = 0;
const version = (age: number, by: VersionAuthor = you, more: Partial<TextEntry> = {}): TextEntry => ({
  kind: 'text',
  note: 'n',
  id: `v${number++}`,
  at: now - age,
  path: 'A.md',
  by: [by],
  cause: 'changed',
  object: `object ${number}`,
  size: 100,
  bytes: 100,
  added: null,
  removed: null,
  seen: null,
  ...more,
});
const note = (entries: NoteRecord['entries'], more: Partial<NoteRecord> = {}): NoteRecord => ({
  note: 'n',
  path: 'A.md',
  isGone: false,
  entries,
  seen: null,
  ...more,
});
const roomy = { size: 1e9, age: 90 * day };
const minutes = (count: number, from: number, by: VersionAuthor = you) =>
  Array.from({ length: count }, (_, at) => version(from - at * 60_000, by));

test('everything of the last day stays', () => {
  expect(entriesToDrop([note(minutes(1_000, 23 * hour))], roomy, now).size).toBe(0);
});

test('after a day one version an hour stays, after a week one a day', () => {
  const hourly = minutes(600, 3 * day);
  const left = (entries: TextEntry[]) =>
    entries.length - entriesToDrop([note([...entries, version(0)])], roomy, now).size;
  expect(left(hourly)).toBeLessThanOrEqual(11);
  expect(left(hourly)).toBeGreaterThanOrEqual(10);
  const daily = Array.from({ length: 240 }, (_, at) => version(30 * day - at * hour));
  expect(left(daily)).toBeLessThanOrEqual(11);
});

test('the text as it was before somebody else wrote stays', () => {
  const age = 3 * day - 10 * 60_000;
  const before = version(age - 60_000);
  const entries = [version(age), before, version(age - 120_000, disk), version(age - 180_000), version(0)];
  const drop = entriesToDrop([note(entries)], roomy, now);
  expect(drop.has(before)).toBe(false);
  expect([...drop]).toEqual([entries[0]]);
});

test('beyond the age only the newest version of a note that is there stays; a deleted note goes whole', () => {
  const old = [version(200 * day), version(150 * day)];
  expect([...entriesToDrop([note(old)], roomy, now)]).toEqual([old[0]]);
  expect(entriesToDrop([note(old, { isGone: true })], roomy, now).size).toBe(2);
});

test('one note never takes more than a fifth, and its newest version stays', () => {
  const entries = Array.from({ length: 50 }, (_, at) => version(50 - at, you, { size: 1_000_000 }));
  const drop = entriesToDrop([note(entries)], { size: 100e6, age: 90 * day }, now);
  expect(50 - drop.size).toBeLessThanOrEqual(20);
  expect(50 - drop.size).toBeGreaterThan(10);
  expect(drop.has(entries[49] as TextEntry)).toBe(false);
  expect(drop.has(entries[0] as TextEntry)).toBe(true);
});

test('where all take too much the oldest of all go, then notes that never changed', () => {
  const notes = Array.from({ length: 10 }, (_, at) =>
    note([version(1_000 - at, you, { cause: 'found', size: 2_000 })], { note: `n${at}`, path: `${at}.md` }),
  );
  const drop = entriesToDrop(notes, { size: 10_000, age: 90 * day }, now);
  expect(10 - drop.size).toBeLessThanOrEqual(5);
  expect(drop.has(notes[9]?.entries[0] as TextEntry)).toBe(false);
});

test('where a note has moved to since its newest version stays', () => {
  const moved: Entry = {
    kind: 'moved',
    note: 'n',
    id: 'm',
    at: now - 200 * day,
    path: 'B.md',
    by: [],
    from: 'A.md',
  };
  const drop = entriesToDrop([note([version(300 * day), version(250 * day), moved])], roomy, now);
  expect(drop.has(moved)).toBe(false);
  expect(drop.size).toBe(1);
});

test('two versions of one text take room once, which is free when both are dropped', () => {
  const shared = (age: number) => version(age, you, { object: 'the same text', size: 1_000 });
  const entries = [
    ...[shared(60), version(50, you, { size: 1_000 }), shared(40), version(30, you, { size: 1_000 })],
    version(0, you, { size: 1_000 }),
  ];
  // 4,000 of 17,500, which is a fifth; 3,150 may stay.
  const one = { size: 17_500, age: 90 * day };
  expect([...entriesToDrop([note(entries)], one, now)]).toEqual(entries.slice(0, 2));
  // 2,700 may stay, so the text that both have has to go as well.
  expect([...entriesToDrop([note(entries)], { ...one, size: 15_000 }, now)]).toEqual(entries.slice(0, 3));
});

test.each([
  ['a day', 1, 30 * 60_000],
  ['a week', 7, 2 * hour],
])('what is thinned after %s stays until the very end of it', (_, days, apart) => {
  const entries = [version(days * day), version(days * day - apart), version(0)];
  expect(entriesToDrop([note(entries)], roomy, now).size).toBe(0);
  expect([...entriesToDrop([note(entries)], roomy, now + 1)]).toEqual([entries[0]]);
});
