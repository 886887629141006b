import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
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
    const left = await readdir(join(folder, 'data', 'journals'));
    expect(left.filter((name) => name.endsWith('.journal'))).toHaveLength(1);
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

/** A note with text in its journal that another disk has no room for any more; then it is saved, and its app is killed. */
async function savedPastJournal(
  folder: string,
  { isNoteFull = false, kill }: { isNoteFull?: boolean; kill: 'when written' | 'at rest' },
) {
  const [root, data, left] = [join(folder, 'vault'), join(folder, 'data'), join(folder, 'left')];
  await mkdir(root);
  await mkdir(data);
  const unmount = [await smallDisk(data, '512k'), await smallDisk(root, '64k')];
  if (unmount.includes(null)) return null;
  const { vault, notes, close } = createNotesCore(data);
  const fill = (place: string) =>
    writeFile(join(place, 'ballast'), Buffer.alloc(2 ** 20)).catch(() => undefined);
  await writeFile(join(root, 'A.md'), 'one\ntwo\n');
  await vault.open(root);
  const { session } = await notes.hold('A.md');
  session.edit('me', { from: 4, insert: 'doomed kept ' });
  await fill(data);
  // More than is left of the journal's last block.
  session.edit('me', { from: 16, insert: 'long '.repeat(2_000) });
  session.edit('me', { from: 4, to: 11, insert: '' });
  if (isNoteFull) await fill(root);
  const killed = () => cpSync(data, left, { recursive: true });
  if (kill === 'when written') vault.onOwnChange(({ kind }) => kind === 'written' && killed());
  const { kind } = await session.save();
  if (kill === 'at rest') killed();
  const whole = session.text();
  return {
    saved: kind === 'saved',
    whole,
    note: join(root, 'A.md'),
    async nextStart() {
      const next = createNotesCore(left);
      await next.vault.open(root);
      await next.notes.recover();
      await next.close();
      const kept = next.notes.recovery.list().map((one) => next.notes.recovery.read(one, 'text'));
      return { text: await readFile(join(root, 'A.md'), 'utf8'), kept };
    },
    async end() {
      await close();
      for (const done of unmount) await done?.();
    },
  };
}

test.for([
  { kill: 'at rest', now: 'after the save' },
  { kill: 'when written', now: 'between the note and its journal' },
  { kill: 'when written', now: 'between them, and another program went on with the note' },
  { kill: 'at rest', now: 'after a save that had no room either', isNoteFull: true },
] as const)(
  'killed $now, past a journal without room: nothing is doubled, nothing comes back',
  async (given, context) => {
    const folder = await mkdtemp(join(tmpdir(), 'full-'));
    const play = await savedPastJournal(folder, given);
    if (!play) return context.skip('no small disk can be mounted here');
    try {
      const { whole, note } = play;
      expect(play.saved).toBe(!('isNoteFull' in given));
      const isFurther = given.now.endsWith('the note');
      if (isFurther) await appendFile(note, 'theirs\n');
      if ('isNoteFull' in given) await rm(join(folder, 'vault', 'ballast'));
      expect(await play.nextStart()).toEqual(
        'isNoteFull' in given
          ? { text: 'one\ndoomed kept two\n', kept: [] }
          : isFurther
            ? { text: `${whole}theirs\n`, kept: ['one\ndoomed kept two\n'] }
            : { text: whole, kept: [] },
      );
    } finally {
      await play.end();
      await rm(folder, { recursive: true, force: true });
    }
  },
);
