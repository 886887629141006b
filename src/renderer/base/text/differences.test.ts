import { Text } from '@codemirror/state';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changesBetween, differences } from './differences';

test('the changes between two texts lead from one to the other, line ends of another system included', () => {
  const text = fc
    .array(fc.constantFrom('a', 'bc ', '\n', '\r', '\r\n', '我', '😀'))
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const doc = Text.of(before.split('\n'));
      expect(changesBetween(before, after).apply(doc).toString()).toBe(after);
    }),
  );
});

test('a word that differs is told, and not what stands around it', () => {
  const [before, after] = ['Reads a file of the vault', 'Deletes a file of the vault'];
  const parts = differences(before, after).map(({ fromA, toA, fromB, toB }) => [
    before.slice(fromA, toA),
    after.slice(fromB, toB),
  ]);
  expect(parts).toEqual([['Reads', 'Deletes']]);
});

const longText = Array.from({ length: 2_000 }, (_, at) => `line ${at} of a long note, with words`);

test('of a long text only the lines that differ are told, however many there are and wherever they stand', () => {
  const after = longText.map((line, at) => (at % 150 === 7 ? `${line} and more` : line));
  const [from, to] = [longText.join('\n'), after.join('\n')];
  const parts = differences(from, to);
  expect(parts).toHaveLength(14);
  for (const { fromA, toA, fromB, toB } of parts) {
    expect(from.slice(fromA, toA)).toBe('');
    expect(to.slice(fromB, toB)).toBe(' and more');
  }
});

test('the changes between two long texts lead from one to the other', () => {
  const edit = fc.record({
    at: fc.nat(1_999),
    text: fc.constantFrom('', 'new', 'two\nlines', '\r', '我 and 😀'),
  });
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 30 }), fc.array(edit, { maxLength: 30 }), (ours, theirs) => {
      const texts = [ours, theirs].map((edits) => {
        const lines = [...longText];
        for (const { at, text } of edits) lines[at] = text;
        return lines.join('\n');
      });
      const [before = '', after = ''] = texts;
      expect(
        changesBetween(before, after)
          .apply(Text.of(before.split('\n')))
          .toString(),
      ).toBe(after);
    }),
    { numRuns: 50 },
  );
});

test('long texts that have nothing in common hold up nobody', () => {
  let state = 7;
  const next = (most: number) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % most;
  };
  const word = () => Array.from({ length: 2 + next(8) }, () => String.fromCharCode(97 + next(26))).join('');
  const text = (words: number) => Array.from({ length: words }, word).join(' ');
  const [before, after] = [text(4000), text(4000)];
  const started = performance.now();
  differences(before, after);
  expect(performance.now() - started).toBeLessThan(2_000);
});
