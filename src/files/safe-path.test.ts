import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isHiddenPath, isWithin, safePath, visiblePath, whyNotOnWindows } from './safe-path';

let folder: string;
let vault: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paths-'));
  vault = join(folder, 'vault');
  await mkdir(join(vault, 'inner'), { recursive: true });
  await mkdir(join(folder, 'vault-evil'));
  await writeFile(join(folder, 'vault-evil', 'secret.md'), 'secret');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const unusableOnWindows = [
  'C:/Windows/win.ini',
  'c:note.md',
  '\\\\server\\share\\x',
  'inner\\..\\..\\x',
  'CON',
  'nul.md',
  'inner/COM1.txt',
  'lpt¹.md',
  'note.md.',
  'note.md ',
  'inner./x.md',
  'stream.md:hidden',
];

const outside = [
  '..',
  '../vault-evil/secret.md',
  'inner/../../vault-evil/secret.md',
  './..',
  '/etc/passwd',
  'a\0.md',
  'a\n.md',
  ...(process.platform === 'win32' ? unusableOnWindows : []),
  `${'a/'.repeat(2500)}x.md`,
];
for (const path of outside) {
  test(`${JSON.stringify(path.slice(0, 40))} is refused`, async () => {
    await expect(safePath(vault, path)).rejects.toMatchObject({ code: 'vault.outside' });
  });
}

test('a refused name says what is wrong with it', async () => {
  const shown =
    '“a\u0007.md” is not a path inside the vault: a name cannot hold the control character U+0007.';
  await expect(safePath(vault, 'a\u0007.md')).rejects.toMatchObject({ message: shown });
});

for (const [name, said] of [
  ['a:b.md', 'a name cannot hold “:”.'],
  ['a\\b.md', 'a name cannot hold “\\”.'],
  ['Why?.md', 'a name cannot hold “?”.'],
  ['CON', 'Windows keeps the name “CON” for itself.'],
  ['Etc.', 'a name cannot end with “.”.'],
  ['Etc ', 'a name cannot end with a space.'],
  ['console.md', null],
  ['日本語 😀.md', null],
] as const) {
  test(`what keeps a name from other systems is told: ${JSON.stringify(name)}`, () => {
    expect(whyNotOnWindows(name)).toBe(said);
  });
}

test.skipIf(process.platform === 'win32')('a backslash in a name hides nothing', () => {
  expect(isHiddenPath('a\\.b.md')).toBe(false);
  expect(isHiddenPath('a/.b.md')).toBe(true);
});

for (const path of [
  'a.md',
  'inner/b.md',
  './a.md',
  'inner//b.md',
  '...md',
  '%2e%2e/a.md',
  'é/日本語 😀.md',
  '-rf',
  'console.md',
  ' led by a blank.md',
  ...(process.platform === 'win32' ? [] : unusableOnWindows),
]) {
  test(`${JSON.stringify(path)} is inside`, async () => {
    expect((await safePath(vault, path)).startsWith(vault)).toBe(true);
  });
}

test('composed and decomposed names stay as they were given', async () => {
  const composed = 'caf\u00e9.md';
  const decomposed = 'cafe\u0301.md';
  expect(await safePath(vault, composed)).toBe(join(vault, composed));
  expect(await safePath(vault, decomposed)).toBe(join(vault, decomposed));
});

test('links that lead outside are refused, whether their target exists or not', async () => {
  await symlink(join(folder, 'vault-evil'), join(vault, 'out'));
  await symlink(join(folder, 'not-yet.md'), join(vault, 'dangling.md'));
  await symlink('dangling.md', join(vault, 'twice.md'));
  await symlink('../../not-yet', join(vault, 'inner', 'dangling-folder'));
  await symlink('loop-b', join(vault, 'loop-a'));
  await symlink('loop-a', join(vault, 'loop-b'));
  for (const path of [
    'out',
    'out/secret.md',
    'out/new.md',
    'dangling.md',
    'twice.md',
    'inner/dangling-folder/x.md',
    'loop-a',
  ])
    await expect(safePath(vault, path), path).rejects.toMatchObject({ code: 'vault.outside' });
});

test('the folder that the vault lies in is outside, as all else there', async () => {
  await symlink('..', join(vault, 'up'));
  await symlink('../..', join(vault, 'inner', 'up'));
  await symlink(folder, join(vault, 'up-in-full'));
  await symlink('up', join(vault, 'up-by-two'));
  for (const path of ['up', 'inner/up', 'up-in-full', 'up-by-two', 'up/vault-evil', 'up/new.md']) {
    await expect(safePath(vault, path), path).rejects.toMatchObject({ code: 'vault.outside' });
    await expect(visiblePath(vault, path), path).rejects.toMatchObject({ code: 'vault.outside' });
  }
  expect(await safePath(vault, 'up/vault/a.md')).toBe(join(vault, 'up', 'vault', 'a.md'));
  expect(
    [folder, join(folder, 'vault-evil'), join(folder, 'vault2')].map((path) => isWithin(vault, path)),
  ).toEqual([false, false, false]);
  expect([vault, join(vault, 'a.md'), join(vault, '..a')].map((path) => isWithin(vault, path))).toEqual([
    true,
    true,
    true,
  ]);
});

test('links that stay inside are allowed, also dangling ones and through a linked root', async () => {
  await symlink('inner', join(vault, 'alias'));
  await symlink('inner/later.md', join(vault, 'later.md'));
  await symlink(vault, join(folder, 'linked-vault'));
  expect(await safePath(vault, 'alias/x.md')).toBe(join(vault, 'alias', 'x.md'));
  expect(await safePath(vault, 'later.md')).toBe(join(vault, 'later.md'));
  expect(await safePath(join(folder, 'linked-vault'), 'a.md')).toBe(join(folder, 'linked-vault', 'a.md'));
});

test('what is hidden is not visible, neither by its name nor behind a link', async () => {
  await mkdir(join(vault, '.git', 'hooks'), { recursive: true });
  await writeFile(join(vault, '.git', 'config'), '');
  await symlink('.git', join(vault, 'folder'));
  await symlink('.git/config', join(vault, 'file.md'));
  await symlink('.git/later.md', join(vault, 'later.md'));
  await symlink('inner', join(vault, 'alias'));
  for (const path of [
    '.git/config',
    'inner/.x.md',
    'folder/config',
    'folder/hooks/new.md',
    'file.md',
    'later.md',
  ])
    await expect(visiblePath(vault, path), path).rejects.toMatchObject({ code: 'vault.outside' });
  for (const path of ['', 'a.b.md', 'alias/x.md'])
    expect(await visiblePath(vault, path)).toBe(join(vault, path));
});
