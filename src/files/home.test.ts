import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expandHome, typedPath } from './home';

test('a tilde at the start is the home folder, and nothing else is', () => {
  expect(expandHome('~')).toBe(homedir());
  expect(expandHome('~/notes/a b')).toBe(join(homedir(), 'notes/a b'));
  for (const path of ['/a/~/b', '~other/x', 'a~', '']) expect(expandHome(path)).toBe(path);
});

test('a path as it is typed begins at the home folder, at the root, or where one is', () => {
  expect(typedPath('~/notes', '/vault')).toBe(join(homedir(), 'notes'));
  expect(typedPath('/a/b', '/vault')).toBe('/a/b');
  expect(typedPath('a/b', '/vault')).toBe('/vault/a/b');
  expect(typedPath('a')).toBe(join(process.cwd(), 'a'));
});
