import { expect, test } from 'vitest';
import type { VaultEntry } from '../../../contract/vault';
import { applyChange, isKnownGone, ownChanges, useVaultEntries } from './vault-entries';

const entry = (path: string, size = 1): VaultEntry => ({ path, kind: 'note', size, modified: 1 });

test('a note is gone once it is in no list, but for hidden ones, which never are', () => {
  const all = applyChange(undefined, { kind: 'all', entries: [entry('a.md')] });
  expect(isKnownGone(undefined, 'b.md')).toBe(false);
  expect(isKnownGone(all, 'a.md')).toBe(false);
  expect(isKnownGone(all, 'b.md')).toBe(true);
  expect(isKnownGone(all, '.interlinear/agents/x.md')).toBe(false);
});

test('the first item is the whole vault, later ones change parts of it', () => {
  const all = applyChange(undefined, { kind: 'all', entries: [entry('a.md'), entry('b.md')] });
  const some = applyChange(all, {
    kind: 'some',
    changed: [entry('a.md', 2), entry('c.md')],
    removed: ['b.md'],
  });
  expect([...some.values()].map(({ path, size }) => [path, size])).toEqual([
    ['a.md', 2],
    ['c.md', 1],
  ]);
  expect(all.size).toBe(2);
});

test('what was done is seen before the stream tells it: a folder moves with what is in it, and alone', () => {
  const all = ['in', 'in/a.md', 'in/deep/b.md', 'inner.md'].map((path) => entry(path));
  useVaultEntries.setState({ entries: applyChange(undefined, { kind: 'all', entries: all }) });
  const paths = () => [...(useVaultEntries.getState().entries?.keys() ?? [])].sort();
  ownChanges.moved('in', 'out');
  expect(paths()).toEqual(['inner.md', 'out', 'out/a.md', 'out/deep/b.md']);
  ownChanges.created('new.md', 'note');
  ownChanges.created('out/a.md', 'note');
  expect(paths()).toEqual(['inner.md', 'new.md', 'out', 'out/a.md', 'out/deep/b.md']);
  expect(useVaultEntries.getState().entries?.get('out/a.md')?.size).toBe(1);
  ownChanges.removed('out');
  expect(paths()).toEqual(['inner.md', 'new.md']);
});
