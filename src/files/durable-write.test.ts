import {
  chmod,
  chown,
  lstat,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { durableWrite } from './durable-write';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'write-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('a file is replaced whole, with its mode, and nothing is left beside it', async () => {
  const path = join(folder, 'a.md');
  await writeFile(path, 'old', { mode: 0o640 });
  await chmod(path, 0o640);
  await durableWrite(path, 'new');
  expect(await readFile(path, 'utf8')).toBe('new');
  expect((await stat(path)).mode & 0o777).toBe(0o640);
  expect(await readdir(folder)).toEqual(['a.md']);
});

test('a symbolic link stays one, also when it dangled', async () => {
  await writeFile(join(folder, 'real.md'), 'old');
  await symlink('real.md', join(folder, 'link.md'));
  await symlink('later.md', join(folder, 'dangling.md'));
  await durableWrite(join(folder, 'link.md'), 'new');
  await durableWrite(join(folder, 'dangling.md'), 'first');
  expect((await lstat(join(folder, 'link.md'))).isSymbolicLink()).toBe(true);
  expect((await lstat(join(folder, 'dangling.md'))).isSymbolicLink()).toBe(true);
  expect(await readFile(join(folder, 'real.md'), 'utf8')).toBe('new');
  expect(await readFile(join(folder, 'later.md'), 'utf8')).toBe('first');
});

test('a read-only file is never replaced', async () => {
  const path = join(folder, 'a.md');
  await writeFile(path, 'old', { mode: 0o444 });
  await expect(durableWrite(path, 'new')).rejects.toMatchObject({ code: 'EACCES' });
  expect(await readFile(path, 'utf8')).toBe('old');
  expect(await readdir(folder)).toEqual(['a.md']);
});

test('a name of 255 bytes can be written', async () => {
  const path = join(folder, `${'é'.repeat(126)}.md`);
  expect(Buffer.byteLength(path.slice(folder.length + 1))).toBe(255);
  await durableWrite(path, 'one');
  await durableWrite(path, 'two');
  expect(await readFile(path, 'utf8')).toBe('two');
});

test('of many who create the same file at once, one succeeds', async () => {
  const path = join(folder, 'a.md');
  const attempts = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) => durableWrite(path, `${index}`, { exclusive: true })),
  );
  const won = attempts.findIndex(({ status }) => status === 'fulfilled');
  expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await readFile(path, 'utf8')).toBe(`${won}`);
  expect(await readdir(folder)).toEqual(['a.md']);
});

test('what the last check throws leaves the old file', async () => {
  const path = join(folder, 'a.md');
  await writeFile(path, 'old');
  const check = () => {
    throw new Error('changed meanwhile');
  };
  await expect(durableWrite(path, 'new', { beforeReplace: check })).rejects.toThrow('changed meanwhile');
  expect(await readFile(path, 'utf8')).toBe('old');
  expect(await readdir(folder)).toEqual(['a.md']);
});

test.skipIf(process.getuid?.() !== 0)('a file stays its owner’s, though root writes it', async () => {
  const path = join(folder, 'a.md');
  await writeFile(path, 'old');
  await chown(path, 1234, 2345);
  await durableWrite(path, 'new');
  expect(await stat(path)).toMatchObject({ uid: 1234, gid: 2345 });
});
