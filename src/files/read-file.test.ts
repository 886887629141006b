import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readFileAt, readFileInside, readFileInsideSync, readStartInside } from './read-file';

let folder: string;
let vault: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'read-'));
  vault = join(folder, 'vault');
  await mkdir(join(vault, 'inner'), { recursive: true });
  await writeFile(join(folder, 'secret.md'), 'secret');
  await writeFile(join(vault, 'note.md'), 'words');
  await symlink('note.md', join(vault, 'link.md'));
  await symlink('/dev/zero', join(vault, 'endless.md'));
  await symlink('../secret.md', join(vault, 'out.md'));
  if (process.platform !== 'win32') execFileSync('mkfifo', [join(vault, 'pipe.md')]);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const ways: [string, (path: string, limit?: number) => Promise<string>][] = [
  ['whole', async (path, limit = 100) => (await readFileInside(vault, path, limit)).bytes.toString()],
  ['at once', async (path, limit = 100) => readFileInsideSync(vault, path, limit).toString()],
  ['its start', async (path) => (await readStartInside(vault, path, 100)).toString()],
];

for (const [way, read] of ways) {
  test(`an ordinary file of the vault is read, also through a link: ${way}`, async () => {
    expect([await read('note.md'), await read('link.md')]).toEqual(['words', 'words']);
  });

  test(`a file outside and a device are refused: ${way}`, async () => {
    for (const path of ['out.md', 'endless.md', '../secret.md'])
      await expect(read(path), path).rejects.toMatchObject({ code: 'vault.outside' });
    await expect(read('inner')).rejects.toMatchObject({ code: 'EISDIR' });
    await expect(read('gone.md')).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test.skipIf(process.platform === 'win32')(`a named pipe keeps nobody waiting: ${way}`, async () => {
    for (let turn = 0; turn < 8; turn++)
      await expect(read('pipe.md')).rejects.toMatchObject({ code: 'vault.not-found' });
  });
}

test('a file that is too large is not read', async () => {
  await expect(readFileInside(vault, 'note.md', 4)).rejects.toMatchObject({ code: 'vault.too-large' });
  expect(() => readFileInsideSync(vault, 'note.md', 4)).toThrow(/too large/);
  await expect(readFileAt(join(vault, 'note.md'), 4)).rejects.toMatchObject({ code: 'vault.too-large' });
});

test.skipIf(process.platform === 'win32')(
  'a place that is no ordinary file is not read, wherever it is',
  async () => {
    await expect(readFileAt('/dev/zero', 100)).rejects.toMatchObject({ code: 'vault.not-found' });
    await expect(readFileAt(join(vault, 'pipe.md'), 100)).rejects.toMatchObject({ code: 'vault.not-found' });
  },
);
