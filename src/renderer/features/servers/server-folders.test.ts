import { expect, test } from 'vitest';
import { folderOf, knownFolders, rootOf, switchAll, switchRoot } from './server-folders';

const vault = `\${vault}`;
const own = { roots: null, knowsVault: true };
const other = { roots: null, knowsVault: false };

test('a server of the vault knows all its folders, another none, until the file says otherwise', () => {
  expect(knownFolders(own)).toEqual({ kind: 'all' });
  expect(knownFolders(other)).toEqual({ kind: 'none' });
  expect(knownFolders({ ...own, roots: [] })).toEqual({ kind: 'none' });
  expect(knownFolders({ ...other, roots: [vault] })).toEqual({ kind: 'all' });
  expect(knownFolders({ ...own, roots: [vault, '/srv'] })).toEqual({
    kind: 'chosen',
    roots: [vault, '/srv'],
  });
});

test('one folder taken from all leaves the others; the last one taken leaves none', () => {
  const one = switchRoot(rootOf('Private'), false, own, ['Private', 'Work']);
  expect(one).toEqual([`${vault}/Work`]);
  expect(switchRoot(rootOf('Work'), false, { ...own, roots: one }, ['Private', 'Work'])).toEqual([]);
  expect(switchRoot(rootOf('Work'), false, { ...other, roots: one }, ['Private', 'Work'])).toBeNull();
  expect(switchRoot(rootOf('Work'), true, other, ['Private', 'Work'])).toEqual([`${vault}/Work`]);
  expect(['/srv/x', `${vault}/Work`].map(folderOf)).toEqual(['/srv/x', 'Work']);
});

test('what holds by itself is not written down', () => {
  expect([switchAll(true, own), switchAll(false, own)]).toEqual([null, []]);
  expect([switchAll(true, other), switchAll(false, other)]).toEqual([[vault], null]);
});
