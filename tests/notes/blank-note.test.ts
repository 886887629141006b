import { mkdir, mkdtemp, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { NotesTrouble } from '../../src/core/notes';
import { createNotesCore } from './core';

const begun = ['Peas and beans.', 'Who waters them?'];
const patience = { timeout: 15_000 };

async function apps(text: string, count: number) {
  const folder = await mkdtemp(join(tmpdir(), 'blank-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const root = join(folder, 'vault');
  await mkdir(root);
  const path = join(root, 'New.md');
  await writeFile(path, text);
  const troubles: NotesTrouble[] = [];
  const all = await Promise.all(
    Array.from({ length: count }, async (_, number) => {
      const core = createNotesCore(join(folder, `data-${number}`), {
        onTrouble: (one) => void troubles.push(one),
      });
      onTestFinished(core.close);
      await core.vault.open(root);
      return (await core.notes.hold('New.md')).session;
    }),
  );
  return {
    path,
    all,
    onDisk: () => readFile(path, 'utf8'),
    kept: () => troubles.filter(({ kind }) => kind === 'kept'),
  };
}

test.each(['', '\n', ' \n\n'])(
  'what two apps begin in a note that is blank, %j, is all in it',
  async (text) => {
    const { all, onDisk, kept } = await apps(text, 2);
    for (const [at, session] of all.entries())
      session.edit(`window-${at}`, { from: 0, insert: begun[at] ?? '' });
    const isWhole = async () => {
      const texts = [await onDisk(), ...all.map((session) => session.text())];
      return texts.every((one) => one === texts[0] && begun.every((word) => one.includes(word)));
    };
    await expect.poll(isWhole, patience).toBe(true);
    for (const word of begun) expect((await onDisk()).split(word)).toHaveLength(2);
    expect(kept()).toEqual([]);
  },
);

test('what another program puts in the place of a blank note and what was typed there are both in it', async () => {
  const { path, all, onDisk, kept } = await apps('', 1);
  await writeFile(`${path}.part`, 'Theirs.\n');
  all[0]?.edit('window', { from: 0, insert: 'Typed.' });
  await rename(`${path}.part`, path);
  await expect.poll(onDisk, patience).toMatch(/Theirs\.\s+Typed\./);
  expect(kept()).toEqual([]);
});

test('a note that is made anew after a blank one was deleted is another note', async () => {
  const { path, all, onDisk, kept } = await apps('', 1);
  const [session] = all;
  await unlink(path);
  await expect.poll(() => session?.saveState().kind, patience).toBe('deleted');
  session?.edit('window', { from: 0, insert: 'Typed.' });
  await writeFile(path, 'Another.\n');
  await expect.poll(() => kept().length, patience).toBe(1);
  expect(await onDisk()).toBe('Another.\n');
});
