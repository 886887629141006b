import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { readJournals } from '../../src/core/notes/journal/journals';
import { smallDisk } from '../support/small-disk';
import { createNotesCore } from './core';

const run = promisify(execFile);

async function house() {
  const folder = await mkdtemp(join(tmpdir(), 'data-'));
  const [root, data] = [join(folder, 'vault'), join(folder, 'data')];
  await mkdir(root);
  await mkdir(data);
  const said: string[] = [];
  const onTrouble = ({ kind }: { kind: string }) => said.push(kind);
  const core = createNotesCore(data, { onTrouble, onJournals: () => said.push('journals') });
  onTestFinished(async () => {
    await core.close();
    await rm(folder, { recursive: true, force: true });
  });
  return { ...core, folder, root, data, said };
}

/** What the next start would have. */
function inJournals(data: string, root: string): string[] {
  return readJournals(join(data, 'journals'), {
    root: () => root,
    isOf: (kept) => kept.root === root,
  }).flatMap((journal) => (journal.kind === 'whole' ? [journal.session.note.doc.toString()] : []));
}

/** As a window does it. */
const typed = (at: number, length: number, text: string) => ({
  clientId: 'window',
  changes: [...(at > 0 ? [at] : []), [0, text], ...(length > at ? [length - at] : [])],
});

test.each(['deleted', 'moved'])(
  'the data folder is %s: what is typed next is in a new journal before it is acknowledged, and in the note',
  async (how) => {
    const { vault, notes, root, data, said } = await house();
    await writeFile(join(root, 'A.md'), 'text');
    await vault.open(root);
    const { session } = await notes.hold('A.md');
    const { sessionId } = session;
    await notes.push('A.md', sessionId, 0, [typed(0, 4, 'a')]);
    if (how === 'deleted') await rm(data, { recursive: true });
    else await rename(data, `${data}-elsewhere`);
    await notes.push('A.md', sessionId, 1, [typed(0, 5, 'b')]);
    expect(inJournals(data, vault.root())).toEqual(['batext']);
    expect(await readFile(join(root, 'A.md'), 'utf8')).toBe('batext');
    expect(said).toEqual(['no-journals', 'journals']);
    // As by somebody who puts back what was moved away.
    await rm(data, { recursive: true });
    await notes.push('A.md', sessionId, 2, [typed(0, 6, 'c')]);
    await notes.push('A.md', sessionId, 3, [typed(0, 7, 'd')]);
    expect(await readFile(join(root, 'A.md'), 'utf8')).toBe('dcbatext');
  },
);

test('no data folder can be made: what is typed is acknowledged once it stands in the note, and refused where it can’t', async () => {
  const { vault, notes, root, data } = await house();
  await writeFile(join(root, 'A.md'), 'text');
  await vault.open(root);
  const { session } = await notes.hold('A.md');
  const { sessionId } = session;
  await notes.push('A.md', sessionId, 0, [typed(0, 4, 'a')]);
  await rename(data, `${data}-elsewhere`);
  await writeFile(data, '');
  await notes.push('A.md', sessionId, 1, [typed(0, 5, 'b')]);
  expect(await readFile(join(root, 'A.md'), 'utf8')).toBe('batext');
  await rm(join(root, 'A.md'));
  await mkdir(join(root, 'A.md'));
  const push = notes.push('A.md', sessionId, 2, [typed(0, 6, 'c')]);
  await expect(push).rejects.toMatchObject({ code: 'note.not-kept' });
});

const hurts: Record<string, (journal: string) => Promise<void>> = {
  emptied: (journal) => truncate(journal, 0),
  cut: (journal) => truncate(journal, 40),
  overwritten: (journal) => writeFile(journal, 'something else'),
  'written over': async (journal) => {
    // The disk's clock ticks every few milliseconds.
    await new Promise((resolve) => setTimeout(resolve, 50));
    await writeFile(journal, 'x'.repeat((await stat(journal)).size), { flag: 'r+' });
  },
  'written to': (journal) => appendFile(journal, 'more of something else'),
};

test.each(Object.keys(hurts))(
  'a journal that another program has %s is written anew, whole, before what is typed next is acknowledged',
  async (how) => {
    const { vault, notes, root, data, said } = await house();
    await writeFile(join(root, 'A.md'), 'text');
    await vault.open(root);
    const { session } = await notes.hold('A.md');
    await notes.push('A.md', session.sessionId, 0, [typed(0, 4, 'a')]);
    await hurts[how]!(join(data, 'journals', `${session.sessionId}.journal`));
    await notes.push('A.md', session.sessionId, 1, [typed(0, 5, 'b')]);
    expect(inJournals(data, vault.root())).toEqual(['batext']);
    expect(said).toEqual(['no-journals', 'journals']);
  },
);

test('a journal that another program empties while nobody types is written anew within moments', async () => {
  const { vault, notes, root, data } = await house();
  await writeFile(join(root, 'A.md'), 'text');
  await vault.open(root);
  const { session } = await notes.hold('A.md');
  await rm(join(root, 'A.md'));
  await mkdir(join(root, 'A.md'));
  await notes.push('A.md', session.sessionId, 0, [typed(0, 4, 'a')]);
  await session.save();
  await truncate(join(data, 'journals', `${session.sessionId}.journal`), 0);
  await expect.poll(() => inJournals(data, vault.root()), { timeout: 10_000 }).toEqual(['atext']);
});

test('the data folder is deleted while nobody types: what is not saved is in a new journal within moments', async () => {
  const { vault, notes, root, data } = await house();
  await writeFile(join(root, 'A.md'), 'text');
  await vault.open(root);
  const { session } = await notes.hold('A.md');
  // Nothing can be saved: another program made a folder of the note.
  await rm(join(root, 'A.md'));
  await mkdir(join(root, 'A.md'));
  await notes.push('A.md', session.sessionId, 0, [typed(0, 4, 'a')]);
  await session.save();
  await rm(data, { recursive: true });
  const started = Date.now();
  await expect.poll(() => inJournals(data, vault.root())).toEqual(['atext']);
  expect(Date.now() - started).toBeLessThan(5_000);
});

test('a full disk under the journals: what is typed is acknowledged once it stands in the note, and not where that is full as well', async (context) => {
  const { vault, notes, root, data, said } = await house();
  const unmounts = [await smallDisk(data, '64k'), await smallDisk(root, '1m')];
  if (unmounts.includes(null)) return context.skip('no small disk can be mounted here');
  onTestFinished(async () => {
    await notes.close();
    for (const unmount of unmounts) await unmount?.();
  });
  const before = 'x'.repeat(200_000);
  await writeFile(join(root, 'A.md'), before);
  await vault.open(root);
  const { session } = await notes.hold('A.md');
  const { sessionId } = session;
  await notes.push('A.md', sessionId, 0, [typed(0, before.length, 'a')]);
  expect(await readFile(join(root, 'A.md'), 'utf8')).toBe(`a${before}`);
  expect(said).toEqual(['no-journals']);
  // The file that was replaced still takes its room for some seconds.
  await writeFile(join(root, 'filling'), Buffer.alloc(600_000));
  const push = notes.push('A.md', sessionId, 1, [typed(0, before.length + 1, 'b')]);
  await expect(push).rejects.toMatchObject({ code: 'note.not-kept' });
  expect(session.saveState()).toMatchObject({ kind: 'failed' });
  await run('mount', ['-o', 'remount,size=8m', data]);
  await expect.poll(() => said).toEqual(['no-journals', 'journals']);
  expect(inJournals(data, vault.root())).toEqual([`ba${before}`]);
});

test('a data folder that is read-only for a while: the app says so, and journals go on by themselves when it is not', async (context) => {
  const { vault, notes, root, data, said } = await house();
  const unmount = await smallDisk(data, '8m');
  if (!unmount) return context.skip('no disk can be mounted here');
  onTestFinished(async () => {
    await notes.close();
    await unmount();
  });
  await writeFile(join(root, 'A.md'), 'text');
  await vault.open(root);
  await run('mount', ['-o', 'remount,ro', data]);
  const { session } = await notes.hold('A.md');
  await notes.push('A.md', session.sessionId, 0, [typed(0, 4, 'a')]);
  expect(await readFile(join(root, 'A.md'), 'utf8')).toBe('atext');
  expect(said).toEqual(['no-journals']);
  await run('mount', ['-o', 'remount,rw', data]);
  await expect.poll(() => said).toEqual(['no-journals', 'journals']);
  expect(existsSync(join(data, 'journals'))).toBe(true);
  expect((await readdir(join(data, 'journals'))).length).toBe(1);
});
