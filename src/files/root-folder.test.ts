import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeSharedFolder } from './private';
import { rootFolder } from './root-folder';

test('what fails inside tells of it by the path that the folder was opened with', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'root-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const place = join(folder, 'tasks');
  await writeFile(place, '');
  let error: unknown;
  try {
    rootFolder(folder).inside(place, makeSharedFolder);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({ code: 'EEXIST', path: place, message: expect.stringContaining(place) });
  expect((error as Error).message + (error as Error).stack).not.toContain('/proc/');
});
