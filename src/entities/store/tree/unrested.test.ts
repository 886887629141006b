import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { rest } from './at-rest';
import { createUnrested } from './unrested';

const start = Date.parse('2030-01-01');
const file = (size: number, ino = 1) => ({ path: 'A.md', size, modified: start, ino, isLink: false });

beforeEach(() => vi.useFakeTimers({ now: start }));
afterEach(() => void vi.useRealTimers());

test('a file that is shorter than it was is believed once it is at rest, a whole one in its place at once', () => {
  const unrested = createUnrested({ isFirst: () => false });
  expect(unrested.isBelieved(file(3), file(9))).toBe(false);
  expect(unrested.paths()).toEqual(['A.md']);
  expect(unrested.isBelieved(file(3, 2), file(9))).toBe(true);
  expect(unrested.paths()).toEqual([]);
  expect(unrested.isBelieved(file(3), file(9))).toBe(false);
  vi.setSystemTime(start + rest.text);
  expect(unrested.isBelieved(file(3), file(9))).toBe(true);
});

test('what is empty when the vault is first read is waited for longer, unless it was written here', () => {
  const unrested = createUnrested({ isFirst: () => true });
  vi.setSystemTime(start + rest.text);
  expect(unrested.isBelieved(file(0), undefined)).toBe(false);
  vi.setSystemTime(start + rest.empty);
  expect(unrested.isBelieved(file(0), undefined)).toBe(true);

  const later = createUnrested({ isFirst: () => vi.getMockedSystemTime()?.getTime() === start });
  vi.setSystemTime(start);
  expect(later.isBelieved(file(0), undefined)).toBe(false);
  vi.setSystemTime(start + rest.text);
  expect(later.isBelieved(file(0), undefined)).toBe(false);
  later.isWhole('A.md');
  expect(later.isBelieved(file(0), undefined)).toBe(true);
});

test('what is just being written when the vault is first read is shown, and looked at again', () => {
  const unrested = createUnrested({ isFirst: () => true });
  expect(unrested.isBelieved(file(5), undefined)).toBe(true);
  expect(unrested.paths()).toEqual(['A.md']);
  expect(unrested.times(start, () => start + rest.text)).toEqual([start + rest.text, start]);
  expect(unrested.times(start + 1, () => start + rest.text - 1)).toEqual([]);
  unrested.looked('A.md');
  expect(unrested.paths()).toEqual([]);
});
