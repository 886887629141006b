import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { printHeader, printRecords } from '../../src/core/notes/journal/records';
import { createNotesCore } from './core';

const before = 'one\ntwo\n';
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** A start where a journal lies that has a damaged record behind what was typed. */
async function startWith(journal: string) {
  const folder = await mkdtemp(join(tmpdir(), 'overtaken-'));
  const [root, data] = [join(folder, 'vault'), join(folder, 'data')];
  await mkdir(root);
  await mkdir(join(data, 'journals'), { recursive: true });
  await writeFile(join(root, 'A.md'), before);
  const header = {
    ...{ format: 1 as const, root, path: 'A.md', sessionId: 'abc', version: 0, base: hashOf(before) },
    ...{ file: null, ahead: null, recent: [], underway: null, vault: null, baseFile: null, observed: null },
  };
  const typed = (version: number, words: string) =>
    printRecords([
      {
        kind: 'update',
        version,
        update: { clientId: 'window-1', changes: [[0, ...words.split('\n')], before.length + 6 * version] },
      },
    ]);
  const bytes = [printHeader(header, before), typed(0, 'typed\n'), typed(1, 'other\n').fill(0, 20, 40)];
  await writeFile(join(data, 'journals', journal), Buffer.concat(bytes));
  const { vault, notes, close } = createNotesCore(data);
  onTestFinished(async () => {
    await close();
    await rm(folder, { recursive: true, force: true });
  });
  await vault.open(root);
  await notes.recover();
  await notes.save('A.md');
  return { note: await readFile(join(root, 'A.md'), 'utf8'), kept: notes.recovery.list().length };
}

test('what a damaged journal has goes into its note, and is kept', async () => {
  expect(await startWith('abc.journal')).toEqual({ note: `typed\n${before}`, kept: 1 });
});

test('not where a text outside of it was about to replace the note: then it is only kept', async () => {
  const journal = `abc.${hashOf('another text')}.journal`;
  expect(await startWith(journal)).toEqual({ note: before, kept: 1 });
});
