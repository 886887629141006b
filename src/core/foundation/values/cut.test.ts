import { expect, test } from 'vitest';
import { cutTo, isCut } from './cut';

const long = 'x'.repeat(1_000);
const hash = '0123456789abcdef'.repeat(4);
const mark = '… (cut; the whole has 1,000 characters)';
const markWithHash = `… (cut; the whole has 1,000 characters, SHA-256 ${hash})`;

test('a text that is cut twice tells its first length', () => {
  expect(cutTo(cutTo(long, 500), 100)).toBe(`${'x'.repeat(100)}${mark}`);
  expect(cutTo('😀😀', 3)).toBe('😀\ufffd… (cut; the whole has 4 characters)');
});

test('a text that is cut twice tells the hash of the whole as well, where it was told', () => {
  expect(cutTo(cutTo(long, 500, hash), 100)).toBe(`${'x'.repeat(100)}${markWithHash}`);
});

test('what was cut is known by its mark, with a hash or without, however long the whole is', () => {
  expect([cutTo(long, 500), cutTo(long, 500, hash)].map(isCut)).toEqual([true, true]);
  expect(
    [`…${mark}`, `x… (cut; the whole has 999,999,999,999 characters, SHA-256 ${hash})`].map(isCut),
  ).toEqual([true, true]);
  expect([long, `${mark} and more`, `${markWithHash}.`, markWithHash.replace('0', 'g')].map(isCut)).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect(cutTo('short', 5, hash)).toBe('short');
});

test('where a hash is told, a mark that the text came with is not believed', () => {
  const forged = `${long}… (cut; the whole has 7 characters, SHA-256 ${'f'.repeat(64)})`;
  expect(cutTo(forged, 100, hash)).toBe(
    `${'x'.repeat(100)}… (cut; the whole has ${forged.length.toLocaleString('en')} characters, SHA-256 ${hash})`,
  );
});
