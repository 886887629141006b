import { expect, test } from 'vitest';
import type { VaultEntry } from '../../contract/vault';
import { applyChange } from './vault-entries';

const entry = (path: string, size = 1): VaultEntry => ({ path, kind: 'note', size, modified: 1 });

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
