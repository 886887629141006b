import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createTrash } from '../../src/node/trash';

const at = new Date(2026, 10, 5, 9, 7, 3);

function inFolder(platform: NodeJS.Platform, toSystemTrash?: (path: string) => Promise<void>) {
  const folder = mkdtempSync(join(tmpdir(), 'trash-'));
  const environment = { XDG_DATA_HOME: join(folder, 'share') };
  const trash = createTrash({
    dataFolder: join(folder, 'data'),
    environment,
    platform,
    now: () => at,
    ...(toSystemTrash && { toSystemTrash }),
  });
  const note = (path: string, text: string) => {
    writeFileSync(join(folder, path), text);
    return join(folder, path);
  };
  return { folder, trash, note, bin: join(folder, 'share/Trash') };
}

test("on Linux a file goes to the desktop's trash, with where and when it was", async () => {
  const { trash, note, bin } = inFolder('linux');
  const path = note('A note ü.md', 'text');
  await trash(path);
  expect(existsSync(path)).toBe(false);
  expect(readFileSync(join(bin, 'files/A note ü.md'), 'utf8')).toBe('text');
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  expect(readFileSync(join(bin, 'info/A note ü.md.trashinfo'), 'utf8')).toBe(
    `[Trash Info]\nPath=${encoded}\nDeletionDate=2026-11-05T09:07:03\n`,
  );
});

test('files of one name do not take each other’s place', async () => {
  const { trash, note, bin } = inFolder('linux');
  for (const text of ['one', 'two', 'three']) await trash(note('A.md', text));
  expect(readdirSync(join(bin, 'files')).sort()).toEqual(['A 2.md', 'A 3.md', 'A.md']);
  expect(readdirSync(join(bin, 'info'))).toHaveLength(3);
});

test('what cannot be moved stays, and leaves no trace in the trash', async () => {
  const { trash, folder, bin } = inFolder('linux');
  await expect(trash(join(folder, 'gone.md'))).rejects.toMatchObject({ code: 'ENOENT' });
  expect(readdirSync(join(bin, 'info'))).toEqual([]);
});

/** What lies in the data folder's own trash. */
const kept = (folder: string) =>
  existsSync(join(folder, 'data/.trash'))
    ? readdirSync(join(folder, 'data/.trash')).map((name) => join(folder, 'data/.trash', name))
    : [];

test('on Windows a folder goes whole to the data folder', async () => {
  const { trash, folder } = inFolder('win32', () => Promise.reject(new Error('not to be asked')));
  mkdirSync(join(folder, 'F'));
  writeFileSync(join(folder, 'F/a.md'), 'a');
  await trash(join(folder, 'F'));
  expect(kept(folder)).toHaveLength(1);
  expect(readFileSync(join(kept(folder)[0]!, 'F/a.md'), 'utf8')).toBe('a');
});

test("on macOS a file goes to the system's trash and nowhere else", async () => {
  const trashed: string[] = [];
  const { trash, note, folder } = inFolder('darwin', async (path) => void trashed.push(path));
  const path = note('A.md', 'text');
  await trash(path);
  expect(trashed).toEqual([path]);
  expect(kept(folder)).toEqual([]);
});

test('on macOS what a disk without a trash holds goes to the data folder', async () => {
  const { trash, note, folder } = inFolder('darwin', () => Promise.reject(new Error('no trash')));
  const path = note('A.md', 'text');
  await trash(path);
  expect(existsSync(path)).toBe(false);
  expect(readFileSync(join(kept(folder)[0]!, 'A.md'), 'utf8')).toBe('text');
});

test('on macOS what is not there is not taken for trashed', async () => {
  const { trash, folder } = inFolder('darwin', async () => undefined);
  await expect(trash(join(folder, 'gone.md'))).rejects.toMatchObject({ code: 'ENOENT' });
});

test.runIf(process.platform === 'linux')('a name with wildcards is no pattern to the library', async () => {
  const { trash, note, folder } = inFolder('darwin');
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('HOME', folder);
  vi.stubEnv('XDG_DATA_HOME', join(folder, 'share'));
  const [path, ...others] = [note('[ab]*.md', 'text'), note('a.md', 'a'), note('[ab]c.md', 'c')];
  await trash(path!);
  const files = join(folder, 'share/Trash/files');
  expect(readdirSync(files).map((name) => readFileSync(join(files, name), 'utf8'))).toEqual(['text']);
  expect([path!, ...others].map((each) => existsSync(each))).toEqual([false, true, true]);
  expect(kept(folder)).toEqual([]);
});

test.skipIf(process.platform === 'win32')('the library brings its program for macOS', () => {
  const program = fileURLToPath(new URL('lib/macos-trash', import.meta.resolve('trash')));
  expect(() => accessSync(program, constants.X_OK)).not.toThrow();
});
