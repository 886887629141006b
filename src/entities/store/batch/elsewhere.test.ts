import { expect, test } from 'vitest';
import { isElsewhere } from './elsewhere';

const before = '---\nstatus: done\ntitle: Oil the chain\n---\n\nTwice a year.\n  With a brush.\n';

test('what a note held stands elsewhere where every line of its text does, in any order and indented otherwise', () => {
  expect(isElsewhere({ before }, '---\nWith a brush.\ntitle: Oil the chain\n> more\n Twice a year.')).toBe(
    true,
  );
  expect(isElsewhere({ before: null }, '')).toBe(true);
});

test('a line of the text, or a field of several words, that is nowhere is missing; a status is not', () => {
  expect(isElsewhere({ before }, '---\ntitle: Oil the chain\nTwice a year.')).toBe(false);
  expect(isElsewhere({ before }, '---\nstatus: done\nTwice a year.\nWith a brush.')).toBe(false);
});
