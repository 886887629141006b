import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTrash } from '../../src/node/trash';

const at = new Date(2026, 10, 5, 9, 7, 3);

function inFolder(platform: NodeJS.Platform) {
  const folder = mkdtempSync(join(tmpdir(), 'trash-'));
  const environment = { XDG_DATA_HOME: join(folder, 'share') };
  const trash = createTrash({ dataFolder: join(folder, 'data'), environment, platform, now: () => at });
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

test('elsewhere a folder goes whole to the data folder', async () => {
  const { trash, folder } = inFolder('win32');
  mkdirSync(join(folder, 'F'));
  writeFileSync(join(folder, 'F/a.md'), 'a');
  await trash(join(folder, 'F'));
  const [kept] = readdirSync(join(folder, 'data/.trash'));
  expect(readFileSync(join(folder, 'data/.trash', kept!, 'F/a.md'), 'utf8')).toBe('a');
});
