import { expect, test } from 'vitest';
import { folderOf, knownFolders, namedAlike, rootOf, switchAll, switchRoot } from './server-folders';

const vault = `\${vault}`;
const own = { roots: null, knowsVault: true };
const other = { roots: null, knowsVault: false };

test('a server of the vault knows all its folders, another none, until the file says otherwise', () => {
  expect(knownFolders(own)).toMatchObject({ kind: 'all' });
  expect(knownFolders(other)).toMatchObject({ kind: 'chosen', roots: [] });
  expect(knownFolders({ ...own, roots: [] })).toMatchObject({ kind: 'chosen', roots: [] });
  expect(knownFolders({ ...other, roots: [vault] })).toMatchObject({ kind: 'all' });
  expect(knownFolders({ ...own, roots: [vault, '/srv'] })).toEqual({ kind: 'all', outside: ['/srv'] });
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

test.each([own, other])(
  'folders outside the vault stay, whatever is chosen of the vault',
  ({ knowsVault }) => {
    let told = { knowsVault, roots: ['/srv', `${vault}/Work`] as string[] | null };
    told = { ...told, roots: switchAll(true, told) };
    expect(told.roots).toEqual([vault, '/srv']);
    expect(switchAll(false, told)).toEqual(['/srv']);
    expect(switchRoot(rootOf('Work'), false, told, ['Private', 'Work'])).toEqual([
      `${vault}/Private`,
      '/srv',
    ]);
    expect(switchRoot('/srv', false, told, ['Work'])).toEqual(knowsVault ? null : [vault]);
  },
);

test('a folder of the vault is one folder, however the file writes it', () => {
  const roots = ['/notes/Work', `${vault}/Work`, '/notes', '/srv'];
  const rootEntries = [
    { root: '/notes/Work', inVault: 'Work', isThere: true },
    { root: '/notes', inVault: '', isThere: true },
    { root: '/srv', inVault: null, isThere: false },
  ];
  expect(namedAlike({ roots, knowsVault: false }, rootEntries).roots).toEqual([
    `${vault}/Work`,
    vault,
    '/srv',
  ]);
});
