import { expect, test } from 'vitest';
import { isUnder, movedPath } from './paths';

test.each([
  ['Plans', 'Plans', true],
  ['Plans/A.md', 'Plans', true],
  ['Plans/Old/A.md', 'Plans', true],
  ['Plans 2/A.md', 'Plans', false],
  ['Plans.md', 'Plans', false],
  ['Old/Plans/A.md', 'Plans', false],
  ['Plans', 'Plans/Old', false],
  ['Plans/A.md', '', true],
  ['', '', true],
])('%s is under %s: %s', (path, folder, is) => {
  expect(isUnder(path, folder)).toBe(is);
});

test.each([
  ['A.md', 'A.md', 'B.md', 'B.md'],
  ['Plans/Old/A.md', 'Plans', 'Done/Plans', 'Done/Plans/Old/A.md'],
  ['Plans/Plans/A.md', 'Plans', 'P', 'P/Plans/A.md'],
  ['Plans 2/A.md', 'Plans', 'Done', 'Plans 2/A.md'],
])('%s is, once %s became %s, at %s', (path, from, to, moved) => {
  expect(movedPath(path, from, to)).toBe(moved);
});
