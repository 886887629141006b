import { expect, test } from 'vitest';
import type { VaultEntry } from '../../../contract/vault';
import { chosenRow, foldersAbove, treeRows } from './tree';
import { useTree } from './tree-state';

const entry = (path: string, kind: VaultEntry['kind'] = 'note'): VaultEntry => ({
  path,
  kind,
  size: 1,
  modified: 1,
});
const entries = [
  entry('Zeta.md'),
  entry('Note 10.md'),
  entry('Note 2.md'),
  entry('projects', 'folder'),
  entry('projects/Apollo.md'),
  entry('projects/old/Gemini.md'),
  entry('plan.pdf', 'file'),
];
const shown = (expanded: string[], filter = '') =>
  treeRows(entries, { expanded: new Set(expanded), filter }).map(
    ({ depth, name }) => '  '.repeat(depth) + name,
  );

test('folders stand first, then names in the order a person counts', () => {
  expect(shown([])).toEqual(['projects', 'Note 2', 'Note 10', 'plan.pdf', 'Zeta']);
});

test('an open folder shows its content, also a folder that no entry names', () => {
  expect(shown(['projects', 'projects/old'])).toEqual([
    'projects',
    '  old',
    '    Gemini',
    '  Apollo',
    'Note 2',
    'Note 10',
    'plan.pdf',
    'Zeta',
  ]);
});

test('a filter opens the folders around what it finds and hides the rest', () => {
  expect(shown([], 'GEMI')).toEqual(['projects', '  old', '    Gemini']);
});

test('all folders above a path are named from the top', () => {
  expect(foldersAbove('a/b/c.md')).toEqual(['a', 'a/b']);
});

test('a row that is renamed stays chosen, whether the app or the list is the first to know of it', () => {
  const at = (...paths: string[]) =>
    chosenRow(
      paths.map((path) => ({ path })),
      useTree.getState(),
    );
  const tree = useTree.getState();
  tree.choose('folder/B.md');
  tree.expectMove('folder', 'moved');
  expect([at('A.md', 'folder/B.md'), at('A.md', 'moved/B.md')]).toEqual([1, 1]);
  tree.choose('moved/B.md');
  tree.expectMove('A.md', 'Z.md');
  expect(at('Z.md')).toBe(-1);
  // One that failed says nothing of the next choice.
  tree.choose('A.md');
  tree.expectMove('A.md', 'Z.md');
  tree.choose('B.md');
  expect(at('Z.md')).toBe(-1);
});
