import { ChangeSet, Text } from '@codemirror/state';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readJournal } from '../journal/read-journal';
import { type JournalRecord, printHeader, printRecords } from '../journal/records';
import { diff } from './diff';
import { mapLineEnds, printLines, readLines } from './line-ends';

const piece = fc.constantFrom('a', 'bc ', 'é😀', '\n', '\r\n', '\r', '# x', '\uFEFF', '"');
const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));
const plain = text.map((value) => value.replaceAll('\r', ''));
const docOf = (value: string) => Text.of(value.split('\n'));

test('reading and printing a note gives the same text, whatever its line ends', () => {
  fc.assert(
    fc.property(text, (value) => {
      const { doc, ends } = readLines(value);
      expect(doc.toString()).not.toContain('\r');
      expect(printLines(doc, ends)).toBe(value);
    }),
    { numRuns: 2_000 },
  );
});

test('a line that nobody edited keeps its line end', () => {
  fc.assert(
    fc.property(text, fc.nat(), (value, where) => {
      const { doc, ends } = readLines(value);
      const at = where % (doc.length + 1);
      const changes = ChangeSet.of({ from: at, insert: 'NEW' }, doc.length);
      const printed = printLines(changes.apply(doc), mapLineEnds(ends, changes));
      expect(printed.replace('NEW', '')).toBe(value);
    }),
    { numRuns: 2_000 },
  );
});

test('a difference leads from one text to the other', () => {
  fc.assert(
    fc.property(plain, plain, (a, b) => {
      expect(diff(docOf(a), docOf(b)).apply(docOf(a)).toString()).toBe(b);
    }),
    { numRuns: 2_000 },
  );
});

test('two megabytes that have nothing in common are compared in bounded time', () => {
  const make = (word: string) =>
    docOf(Array.from({ length: 40_000 }, (_, line) => `${word} ${line} and more text`).join('\n'));
  const begun = performance.now();
  diff(make('one'), make('two'));
  expect(performance.now() - begun).toBeLessThan(15_000);
});

test.each([
  [100_000, 2_000],
  [1_000_000, 2_000],
  [1_000_000, 30_000],
])('in a line of %s characters, %s scattered words are found, and soon', (length, count) => {
  const words = Array.from({ length: length / 8 }, (_, at) => `w${at}`);
  const step = Math.floor(words.length / count);
  const changed = words.flatMap((word, at) => (at % step === 0 ? [`NEW${at}`, word] : [word]));
  const [a, b] = [docOf(words.join(' ')), docOf(changed.join(' '))];
  const begun = performance.now();
  const changes = diff(a, b);
  // A fifth of it on a small machine that is not busy.
  expect(performance.now() - begun).toBeLessThan(length / 200 + 1_000);
  changes.iterChanges((from, to) => {
    if (to > from) throw new Error(`${to - from} characters are taken away at ${from}.`);
  });
});

test('a journal that is torn anywhere is read up to the tear', () => {
  const header = {
    format: 1,
    root: '/v',
    vault: null,
    path: 'A.md',
    sessionId: 'abc',
    version: 3,
    base: 'h',
    baseFile: null,
    file: '1:2',
    ahead: null,
    recent: [],
    underway: null,
    observed: null,
  } as const;
  const records = [3, 4, 5].map((version): JournalRecord => {
    return { kind: 'update', version, update: { clientId: 'a', changes: [[0, `é${version}`]] } };
  });
  const beginning = printHeader({ ...header, recent: [] }, 'base\r\n');
  const whole = Buffer.concat([beginning, printRecords(records)]);
  const recordsOf = (bytes: Buffer) =>
    readJournal(bytes).pieces.flatMap((one) => (one.kind === 'record' ? [one.record] : []));
  for (let length = 0; length <= whole.length; length++) {
    const reading = readJournal(whole.subarray(0, length));
    expect(reading.isBeginningWhole).toBe(length >= beginning.length);
    if (!reading.isBeginningWhole) continue;
    // What was torn off was never acknowledged: no damage.
    expect(reading.pieces).toEqual(
      records.slice(0, reading.pieces.length).map((record) => ({ kind: 'record', record })),
    );
  }
  expect(recordsOf(whole)).toEqual(records);
  const damaged = Buffer.from(whole);
  damaged[beginning.length + 12]! ^= 1;
  expect(readJournal(damaged).pieces[0]).toMatchObject({ kind: 'damaged' });
  expect(recordsOf(damaged)).toEqual(records.slice(1));
});
