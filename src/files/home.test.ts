import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expandHome } from './home';

test('a tilde at the start is the home folder, and nothing else is', () => {
  expect(expandHome('~')).toBe(homedir());
  expect(expandHome('~/notes/a b')).toBe(join(homedir(), 'notes/a b'));
  for (const path of ['/a/~/b', '~other/x', 'a~', '']) expect(expandHome(path)).toBe(path);
});
