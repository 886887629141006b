import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectVault } from '../../tests/vault-server/serve-vault';

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
