import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createNotesCore } from '../notes/core';

const node = (id: string, file: string) => ({ id, type: 'file', file, x: 0, y: 0, width: 100, height: 50 });

test('canvases show a note, or the notes of a folder, that a person renames in the tree of files where they are now', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'renamed-'));
  const root = join(folder, 'vault');
  await mkdir(join(root, 'Beds'), { recursive: true });
  await writeFile(join(root, 'Beds/Peas.md'), 'Peas\n');
  await writeFile(join(root, 'Beds/Beans.md'), 'Beans\n');
  const nodes = [node('a', 'Beds/Peas.md'), node('b', 'Beds/Beans.md')];
  await writeFile(join(root, 'Plan.canvas'), JSON.stringify({ nodes, edges: [] }));
  const { vault, close } = createNotesCore(join(folder, 'data'));
  await vault.open(root);
  const shown = async () => {
    const text = await readFile(join(root, 'Plan.canvas'), 'utf8');
    return JSON.parse(text).nodes.map(({ file }: { file: string }) => file);
  };
  try {
    await vault.rename('Beds/Peas.md', 'Beds/Sweet peas.md');
    await expect.poll(shown, { timeout: 20_000 }).toEqual(['Beds/Sweet peas.md', 'Beds/Beans.md']);
    await vault.rename('Beds', 'Garden');
    await expect.poll(shown, { timeout: 20_000 }).toEqual(['Garden/Sweet peas.md', 'Garden/Beans.md']);
  } finally {
    await close();
    await rm(folder, { recursive: true, force: true });
  }
});
