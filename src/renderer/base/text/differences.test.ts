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
