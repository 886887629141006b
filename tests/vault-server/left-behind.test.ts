import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runDoctor } from '../../src/vault-server/doctor-command';
import { connectVault } from './serve-vault';

test('what a killed process left beside the notes goes when a server starts, what may still be written stays', async () => {
  const root = await mkdtemp(join(tmpdir(), 'left-behind-'));
  const [old, young] = ['.interlinear-0123456789ab.tmp', '.interlinear-ba9876543210.tmp'];
  for (const name of [old, young, '.other-0123456789ab.tmp']) await writeFile(join(root, name), 'A note');
  for (const name of [old, '.other-0123456789ab.tmp']) await utimes(join(root, name), 1, 1);
  const end = await connectVault(root);
  await expect.poll(() => readdir(root), { timeout: 20_000 }).not.toContain(old);
  await end.close();
  const left = await readdir(root);
  expect(left).toContain(young);
  expect(left).toContain('.other-0123456789ab.tmp');
  await rm(root, { recursive: true, force: true });
}, 30_000);

test.each<[string, (root: string) => Promise<() => Promise<unknown>>]>([
  [
    'a server that runs',
    async (root) => {
      const end = await connectVault(root);
      await end.ask('check_project');
      // It has looked once when it started.
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      return async () => {
        await end.ask('check_project');
        await end.close();
      };
    },
  ],
  ['the doctor', async (root) => () => runDoctor(root, {})],
])('what was left behind more than a day ago goes when %s looks into the folders', async (_, begin) => {
  const root = await mkdtemp(join(tmpdir(), 'left-behind-'));
  const folders = ['Projects/tasks', '.interlinear'].map((folder) => join(root, folder));
  for (const folder of folders) await mkdir(folder, { recursive: true });
  const look = await begin(root);
  const [old, young] = ['.interlinear-0123456789ab.tmp', '.interlinear-ba9876543210.tmp'];
  const hoursAgo = (count: number) => Date.now() / 1000 - count * 60 * 60;
  for (const folder of folders) {
    for (const name of [old, young]) await writeFile(join(folder, name), 'A note');
    await utimes(join(folder, old), hoursAgo(25), hoursAgo(25));
    await utimes(join(folder, young), hoursAgo(23), hoursAgo(23));
  }
  await look();
  for (const folder of folders) {
    const left = await readdir(folder);
    expect(left).not.toContain(old);
    expect(left).toContain(young);
  }
  await rm(root, { recursive: true, force: true });
});
