import { expect, test } from 'vitest';
import { pathNamed } from './path-named';

const note = { path: 'Ideas/Old.md', kind: 'note', name: 'Old' } as const;

test.each([
  ['New', 'Ideas/New.md'],
  ['New.md', 'Ideas/New.md'],
  [' Later / New ', 'Ideas/Later/New.md'],
  ['/Later//New', 'Ideas/Later/New.md'],
  ['Old', null],
  ['  ', null],
  [' / ', null],
])('the name %j for a note in a folder', (typed, path) => {
  expect(pathNamed(note, typed)).toBe(path);
});

test('a folder and another file keep the name as it is typed, and the top has no folder before it', () => {
  expect(pathNamed({ path: 'Ideas', kind: 'folder', name: 'Ideas' }, 'Old/Ideas')).toBe('Old/Ideas');
  expect(pathNamed({ path: 'Ideas/a.png', kind: 'file', name: 'a.png' }, 'b.png')).toBe('Ideas/b.png');
});
