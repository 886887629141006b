import { cp, link, mkdir, mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Clock, createLog, systemClock } from '../../src/core/foundation';
import { createNotes, type Notes, type NotesTrouble } from '../../src/core/notes';
import { createVault, type Vault, type VaultParts } from '../../src/core/vault';

let folder: string;
let root: string;
let vault: Vault;
let notes: Notes;
let troubles: NotesTrouble[];

const log = createLog(() => undefined);
const parts: VaultParts = {
  log,
  clock: systemClock,
  trust: { isTrusted: () => true },
  moveToTrash: (path) => rm(path, { force: true }),
};
const onDisk = (path: string) => readFile(join(root, path), 'utf8');
const patience = { timeout: 15_000 };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'same-'));
  root = join(folder, 'vault');
  await mkdir(root);
  troubles = [];
  vault = createVault(parts);
  const onTrouble = (one: NotesTrouble) => void troubles.push(one);
  const whereNow = async (_text: string, file: string | null) => (file === null ? null : vault.whereIs(file));
  const dataFolder = join(folder, 'data');
  notes = createNotes({ vault, dataFolder, log, clock: systemClock, onTrouble, whereNow });
});
afterEach(async () => {
  await notes.close();
  await vault.close();
  await rm(folder, { recursive: true, force: true });
});

const words = (count: number, of: string) => Array.from({ length: count }, (_, at) => `${of}${at}`);
const longNotes: Record<string, [before: string, after: string]> = {
  'one paragraph, of which the first and the last word were changed': [
    ['first', ...words(2_000, 'word'), 'last'].join(' '),
    ['FIRST', ...words(2_000, 'word'), 'LAST'].join(' '),
  ],
  'a list, in each item of which a word was changed': [
    words(900, '- item')
      .map((item) => `${item} is one of them`)
      .join('\n'),
    words(900, '- item')
      .map((item) => `${item} was one of them`)
      .join('\n'),
  ],
  'lines, of each of which the first word was changed': [
    words(40, 'line')
      .map((line) => `${line} ${words(80, 'word').join(' ')}`)
      .join('\n'),
    words(40, 'LINE')
      .map((line) => `${line} ${words(80, 'word').join(' ')}`)
      .join('\n'),
  ],
};

test.each(Object.keys(longNotes))(
  'a note that another program replaces while somebody types stays that note: %s',
  async (which) => {
    const [before = '', after = ''] = longNotes[which] ?? [];
    await writeFile(join(root, 'Long.md'), `${before}\n`);
    await vault.open(root);
    const { session } = await notes.hold('Long.md');
    session.edit('window-1', { from: 0, insert: 'Typed.\n' });
    await writeFile(join(root, 'Long.part'), `${after}\n`);
    await rename(join(root, 'Long.part'), join(root, 'Long.md'));
    await expect.poll(() => onDisk('Long.md'), patience).toContain('Typed.');
    expect(await onDisk('Long.md')).toContain(after.split(' ')[0]);
    session.edit('window-1', { from: 0, insert: 'More.\n' });
    await expect.poll(() => onDisk('Long.md'), patience).toContain('More.\n');
    expect(troubles.filter((one) => one.kind === 'kept' && one.reason === 'replaced')).toEqual([]);
  },
);

test('a note that is open by two names, and typed into by both, keeps every word', async () => {
  await writeFile(join(root, 'One.md'), `${words(60, 'word').join(' ')}\n`);
  await link(join(root, 'One.md'), join(root, 'Two.md'));
  await vault.open(root);
  const held = await Promise.all(['One.md', 'Two.md'].map((path) => notes.hold(path)));
  const typed: string[] = [];
  for (let round = 0; round < 60; round++) {
    const at = round % 2;
    const { session } = held[at]!;
    const word = `‹${round}›`;
    session.edit(`window-${at}`, { from: at * session.text().length, insert: `${word}\n` });
    typed.push(word);
    if (round % 3 === 0) void session.save();
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
  const isWhole = async () => {
    const texts = await Promise.all(['One.md', 'Two.md'].map(onDisk));
    const all = [...texts, ...held.map(({ session }) => session.text())];
    return all.every((text) => text === all[0]) && typed.every((word) => all[0]?.split(word).length === 2);
  };
  await expect.poll(isWhole, patience).toBe(true);
  expect(troubles.filter(({ kind }) => kind === 'kept')).toEqual([]);
});

test.each([[['One.md', 'Two.md']], [['Two.md', 'One.md']]])(
  'what was typed by two names of a note into an app that died is each taken up by its own: %j',
  async (paths) => {
    await writeFile(join(root, 'One.md'), 'word\n');
    await link(join(root, 'One.md'), join(root, 'Two.md'));
    // Nothing is saved by itself, as little as in an app that is dead.
    const restless: Clock = {
      now: systemClock.now,
      after: (ms, work) => (ms >= 400 ? () => undefined : systemClock.after(ms, work)),
    };
    const dead = createVault({ ...parts, clock: restless });
    const deadNotes = createNotes({ vault: dead, dataFolder: join(folder, 'dead'), log, clock: restless });
    await dead.open(root);
    const journals = join(folder, 'data', 'journals');
    const sessions = new Map<string, string>();
    for (const [at, path] of paths.entries()) {
      const { session } = await deadNotes.hold(path);
      session.edit('window-1', { from: at * session.text().length, insert: `${longText(path)}\n` });
      sessions.set(path, session.sessionId);
    }
    await cp(join(folder, 'dead', 'journals'), journals, { recursive: true });
    for (const name of await readdir(journals)) {
      const at = [...sessions.values()].findIndex((session) => name.startsWith(session));
      if (at !== -1) await utimes(join(journals, name), 1_000 + at, 1_000 + at);
    }
    try {
      await vault.open(root);
      expect(await notes.recover()).toEqual(paths);
      for (const path of paths) {
        expect(notes.opened(path)?.sessionId).toBe(sessions.get(path));
        await expect
          .poll(() => notes.opened(path)?.text())
          .toBe(`${longText(paths[0])}\nword\n${longText(paths[1])}\n`);
      }
      await expect.poll(() => onDisk('One.md')).toBe(notes.opened('One.md')?.text());
      expect(await onDisk('Two.md')).toBe(await onDisk('One.md'));
      expect(troubles).toEqual([]);
    } finally {
      await deadNotes.close();
      await dead.close();
    }
  },
);

/** Much more than the note had: by its words it is hardly the same one any more. */
const longText = (path = '') => words(20, `${path} `).join(' ');
