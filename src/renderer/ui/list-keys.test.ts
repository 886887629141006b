import { expect, test } from 'vitest';
import { rowAfterKey } from './list-keys';

test.each([
  ['ArrowDown', 0, 1],
  ['ArrowDown', 24, 24],
  ['ArrowDown', -1, 0],
  ['ArrowUp', 1, 0],
  ['ArrowUp', 0, 0],
  ['PageDown', 3, 13],
  ['PageDown', 20, 24],
  ['PageUp', 3, 0],
  ['Home', 9, 0],
  ['End', 9, 24],
  ['Enter', 9, null],
  ['a', 9, null],
])('%s in row %i of 25 goes to %s', (key, at, row) => {
  expect(rowAfterKey(key, at, 25)).toBe(row);
});

test('where arrows wrap, they go on at the other end, and pages do not', () => {
  const to = (key: string, at: number) => rowAfterKey(key, at, 5, { wraps: true });
  expect([to('ArrowDown', 4), to('ArrowUp', 0), to('ArrowUp', -1), to('ArrowDown', -1)]).toEqual([
    0, 4, 4, 0,
  ]);
  expect([to('PageDown', 4), to('PageUp', 0)]).toEqual([4, 0]);
});

test('in a text box Home and End stay with the text; an empty list has no row', () => {
  expect(rowAfterKey('Home', 3, 5, { isInText: true })).toBeNull();
  expect(rowAfterKey('ArrowDown', -1, 0)).toBeNull();
});
