import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createNotesCore } from './core';

/** What a program does that has read a note before it was saved here, and writes it afterwards with something added. */

let folder: string;
let root: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'older-'));
  root = join(folder, 'vault');
  await mkdir(root);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const question = '#User : hi\n\n';
const old = '#Local : O1O words.';
const waiting = '\n\n#Local : ';

test.each([
  ['below it', '\n\nK1K', '\n'],
  ['at its end', ' K1K', '\n'],
  ['below it, above another turn', '\n\nK1K', '\n\n#User : next\n'],
  ['as code below it, above another turn', '\n\n```js\nK1K\n```', '\n\n#User : next\n'],
  ['at its end, above another turn', ' K1K', '\n\n#User : next\n'],
])(
  'what was put to an answer, %s, leaves the one that takes its place its tag',
  async (_where, added, below) => {
    const { vault, notes, close } = createNotesCore(join(folder, 'data'));
    const path = join(root, 'A.md');
    await writeFile(path, question + old + below);
    await vault.open(root);
    const { session } = await notes.hold('A.md');
    const end = question.length + old.length;
    session.edit('run', { from: end, insert: waiting });
    await session.save();
    expect(await readFile(path, 'utf8')).toContain(waiting);
    session.edit('run', { from: end + waiting.length, insert: 'M1M words' });
    session.edit('run', { from: question.length, to: end + 2, insert: '' });
    await writeFile(path, question + old + added + below);
    await session.save();
    const text = await readFile(path, 'utf8');
    expect(text).toBe(session.text());
    expect(text).toMatch(/\n#Local : M1M words/);
    expect(text).toContain('K1K');
    expect(text.endsWith(below)).toBe(true);
    await close();
  },
);

test('a program that wrote what it read last, with something taken out and something added, took it out', async () => {
  const { vault, notes, close } = createNotesCore(join(folder, 'data'));
  const path = join(root, 'A.md');
  await writeFile(path, 'one\ntwo\n');
  await vault.open(root);
  const { session } = await notes.hold('A.md');
  session.edit('me', { from: 8, insert: 'three\nfour\n' });
  await session.save();
  session.edit('me', { from: 0, insert: 'mine ' });
  await writeFile(path, 'one\nthree\nfour\nfive\n');
  await session.save();
  expect(await readFile(path, 'utf8')).toBe('mine one\nthree\nfour\nfive\n');
  await close();
});

test('a program that put its own turn below a question takes nothing of the answer that it had not read, much as its letters are like', async () => {
  const { vault, notes, close } = createNotesCore(join(folder, 'data'));
  const path = join(root, 'A.md');
  const asked = '#User : hi Q1Q';
  await writeFile(path, asked);
  await vault.open(root);
  const { session } = await notes.hold('A.md');
  await session.save();
  const answer = '\n\n#Local : \n\n```js\nM1M\n```';
  session.edit('run', { from: asked.length, insert: answer });
  await session.save();
  expect(await readFile(path, 'utf8')).toBe(asked + answer);
  await writeFile(path, `${asked}\n\n#User : K1K\n\n\`\`\`js\nK2K\n\`\`\`\n`);
  await expect.poll(() => session.text(), { timeout: 5_000 }).toContain('K2K');
  const text = session.text();
  expect(text).toContain(answer);
  expect(text).toContain('#User : K1K\n\n```js\nK2K\n```');
  expect(text.indexOf('K2K')).toBeLessThan(text.indexOf('M1M'));
  await session.save();
  expect(await readFile(path, 'utf8')).toBe(text);
  await close();
});
