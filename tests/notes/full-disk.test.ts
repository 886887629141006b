import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { smallDisk } from '../support/small-disk';
import { createNotesCore } from './core';

const run = promisify(execFile);

test('a full disk leaves the note as it was, says so, and is saved when there is room', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'full-'));
  const root = join(folder, 'vault');
  await mkdir(root);
  const unmount = await smallDisk(root, '1m');
  if (!unmount) return context.skip('no small disk can be mounted here');
  const { vault, notes, close } = createNotesCore(join(folder, 'data'));
  try {
    const before = 'x'.repeat(600_000);
    await writeFile(join(root, 'A.md'), before);
    await vault.open(root);
    const { session } = await notes.hold('A.md');
    session.edit('me', { from: 0, insert: 'y'.repeat(100_000) });
    expect(await session.save()).toMatchObject({ kind: 'failed', code: 'vault.disk-full' });
    expect(await readFile(join(root, 'A.md'), 'utf8')).toBe(before);
    expect(await readdir(root)).toEqual(['A.md']);
    expect(await readdir(join(folder, 'data', 'journals'))).toHaveLength(1);
    await run('mount', ['-o', 'remount,size=4m', root]);
    expect(await session.save()).toMatchObject({ kind: 'saved' });
    expect(await readFile(join(root, 'A.md'), 'utf8')).toBe('y'.repeat(100_000) + before);
  } finally {
    await close();
    await unmount();
    await rm(folder, { recursive: true, force: true });
  }
});

test('a full disk under the journal still lets one type, and says so loudly', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'full-'));
  const [root, data] = [join(folder, 'vault'), join(folder, 'data')];
  await mkdir(root);
  await mkdir(data);
  const unmount = await smallDisk(data, '64k');
  if (!unmount) return context.skip('no small disk can be mounted here');
  const { vault, notes, close } = createNotesCore(data);
  try {
    await writeFile(join(root, 'A.md'), 'x'.repeat(200_000));
    await vault.open(root);
    const { session } = await notes.hold('A.md');
    session.edit('me', { from: 0, insert: 'typed ' });
    expect(session.text().slice(0, 7)).toBe('typed x');
    expect(session.saveState()).toMatchObject({ kind: 'failed' });
    expect(await session.save()).toMatchObject({ kind: 'saved' });
  } finally {
    await close();
    await unmount();
    await rm(folder, { recursive: true, force: true });
  }
});
