import { ChangeSet, Text } from '@codemirror/state';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diff } from './diff';
import { type JournalRecord, printHeader, printRecords, readJournal } from './journal-file';
import { mapLineEnds, printLines, readLines } from './line-ends';
import { merge } from './merge';

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

test('a merge keeps every line that either side added', () => {
  fc.assert(
    fc.property(plain, fc.nat(), fc.nat(), (value, first, second) => {
      const base = docOf(value);
      const at = (place: number) => base.line((place % base.lines) + 1);
      const ours = ChangeSet.of({ from: at(first).from, to: at(first).to, insert: 'OURS' }, base.length);
      const theirs = ChangeSet.of(
        { from: at(second).from, to: at(second).to, insert: 'THEIRS' },
        base.length,
      );
      const [ourDoc, theirDoc] = [ours.apply(base), theirs.apply(base)];
      const merged = merge(ours, theirs, ourDoc, theirDoc).changes.apply(ourDoc).toString();
      expect(merged).toContain('OURS');
      expect(merged).toContain('THEIRS');
    }),
    { numRuns: 2_000 },
  );
});

test('lines that somebody puts at the end of a line that is just being typed come below it', () => {
  const base = docOf('# Day\nmar');
  const ours = ChangeSet.of({ from: base.length, insert: 'k-e-2-2' }, base.length);
  const theirs = ChangeSet.of({ from: base.length, insert: '\nTheirs.\n' }, base.length);
  const [ourDoc, theirDoc] = [ours.apply(base), theirs.apply(base)];
  const { changes, conflicts } = merge(ours, theirs, ourDoc, theirDoc);
  expect(changes.apply(ourDoc).toString()).toBe('# Day\nmark-e-2-2\nTheirs.\n');
  expect(conflicts).toBe(0);
});

test('a journal that is torn anywhere is read up to the tear', () => {
  const header = {
    format: 1,
    root: '/v',
    path: 'A.md',
    sessionId: 'abc',
    version: 3,
    base: 'h',
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
  for (let length = 0; length <= whole.length; length++) {
    const read = readJournal(whole.subarray(0, length));
    expect(read === null).toBe(length < beginning.length);
    if (read) expect(read.records).toEqual(records.slice(0, read.records.length));
  }
  expect(readJournal(whole)?.records).toEqual(records);
  const damaged = Buffer.from(whole);
  damaged[beginning.length + 12]! ^= 1;
  expect(readJournal(damaged)?.records).toEqual([]);
});
