import { expect, test } from 'vitest';
import { createLinkTargets } from './link-targets';

function targets(...paths: string[]) {
  const links = createLinkTargets();
  for (const path of paths) links.add(path);
  return links;
}

test('a link means the exact path, then the note beside, then the shortest way', () => {
  const links = targets('a/B.md', 'c/d/B.md', 'c/E.md', 'pic.png', 'x/pic.png');
  expect(links.find('c/d/B', 'Z.md')).toBe('c/d/B.md');
  expect(links.find('d/B', 'c/Z.md')).toBe('c/d/B.md');
  expect(links.find('B', 'c/d/Z.md')).toBe('c/d/B.md');
  expect(links.find('../a/B', 'c/Z.md')).toBe('a/B.md');
  expect(links.find('B', 'Z.md')).toBe('a/B.md');
  expect(links.find('d/B.md', 'Z.md')).toBe('c/d/B.md');
  expect(links.find('pic.png', 'Z.md')).toBe('pic.png');
  expect(links.find('nowhere', 'Z.md')).toBeNull();
  expect(links.find('', 'Z.md')).toBeNull();
});

test('case and composition do not matter, but the same spelling wins', () => {
  const links = targets('caf\u00e9.md', 'x/note.md', 'y/Note.md');
  expect(links.find('CAFE\u0301', 'Z.md')).toBe('caf\u00e9.md');
  expect(links.find('Note', 'Z.md')).toBe('y/Note.md');
  expect(links.find('Note', 'x/Z.md')).toBe('x/note.md');
});

test('a removed note is not found', () => {
  const links = targets('A.md');
  links.remove('A.md');
  expect(links.find('A', 'Z.md')).toBeNull();
});
