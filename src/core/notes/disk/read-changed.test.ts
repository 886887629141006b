import { Text } from '@codemirror/state';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diff } from '../text/diff';
import { printLines, readLines } from '../text/line-ends';
import { looksCut } from './foreign-writer';
import { readChanged } from './read-changed';

const words = fc.constantFrom(
  '',
  'x',
  'é😀',
  'line',
  '\n',
  'a line\nanother\n',
  '\n\n\n',
  '\uFEFF',
  '\0',
  '# Peas 豆',
);
const lines = fc.constantFrom(
  (number: number) => `line ${number} 😀 of it`,
  // All the same: where something is new can't be told.
  () => 'the same line',
  (number: number) => (number % 7 === 0 ? 'x'.repeat(30_000) : ''),
);
const change = fc.record({
  /** Parts of a thousand. */
  from: fc.nat(1_000),
  length: fc.oneof(fc.constantFrom(0, 1, 5), fc.nat(100_000)),
  insert: fc.array(words, { maxLength: 8 }).map((parts) => parts.join('')),
});

test('a long text that was changed anywhere is read as if it were read as a whole, and made of the old one', {
  timeout: 120_000,
}, async () => {
  let localized = 0;
  await fc.assert(
    fc.asyncProperty(
      lines,
      fc.constantFrom('\n', '\r\n'),
      fc.constantFrom('', '\uFEFF'),
      fc.array(change, { minLength: 1, maxLength: 2 }),
      async (lineOf, lineEnd, mark, changes) => {
        const before = Array.from({ length: 40_000 }, (_, number) => lineOf(number))
          .join('\n')
          .slice(0, 400_000);
        let after = before;
        for (const { from, length, insert } of changes) {
          const at = Math.round((from / 1_000) * after.length);
          after = after.slice(0, at) + insert + after.slice(at + length);
        }
        // Half a character is none.
        const onDisk = (text: string) =>
          Buffer.from(mark + text.toWellFormed().replaceAll('\n', lineEnd), 'utf8');
        const old = readLines(onDisk(before).toString('utf8'));
        const bytes = onDisk(after);
        const read = await readChanged(bytes, old);
        if (read === null) return;
        localized++;
        const text = bytes.toString('utf8');
        const whole = readLines(text);
        expect(read.doc.eq(whole.doc)).toBe(true);
        expect(printLines(read.doc, old.ends) === text).toBe(true);
        const expected = printLines(old.doc, old.ends);
        if (!expected.includes('\0')) expect(read.isCut).toBe(looksCut(text, expected) && text !== expected);
        expect(read.isGrown).toBe(text.startsWith(expected) && !text.includes('\0'));
        expect(diff(old.doc, read.doc).apply(old.doc).eq(whole.doc)).toBe(true);
      },
    ),
    { numRuns: 150 },
  );
  expect(localized).toBeGreaterThan(120);
});

test.each([
  ['other line ends', 'a\r\nb'],
  ['a line end that is half', '\r'],
  ['what is no text', Buffer.from([0xff, 0xfe])],
])('%s are read as a whole', async (_name, inserted) => {
  const line = 'Beans like cool weather.\n';
  const old = readLines(line.repeat(20_000));
  const bytes = Buffer.concat([
    Buffer.from(line.repeat(3)),
    Buffer.from(inserted),
    Buffer.from(line.repeat(19_997)),
  ]);
  expect(await readChanged(bytes, old)).toBeNull();
});

test('a difference between a text and one that is made of it leads there', () => {
  const piece = fc
    .array(fc.constantFrom('a\n', 'b\n', 'c', '\n'), { maxLength: 6 })
    .map((parts) => parts.join(''));
  const edit = fc.record({ from: fc.nat(), length: fc.nat(200), insert: piece });
  fc.assert(
    fc.property(fc.constantFrom('same\n', 'b\n'), fc.array(edit, { maxLength: 4 }), (line, edits) => {
      const before = Text.of(line.repeat(2_000).split('\n'));
      let after = before;
      for (const { from, length, insert } of edits) {
        const at = from % (after.length + 1);
        after = after.replace(at, Math.min(after.length, at + length), Text.of(insert.split('\n')));
      }
      expect(diff(before, after).apply(before).eq(after)).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});
