import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import type { TimelineEntry } from '../../src/contract/versions';
import { type App, createApp } from '../../src/core/app';
import { takeInstanceLock } from '../../src/core/hosting';
import { createCommandLine } from '../hosts/command-line';

/** The real program, on a vault of its own. */
function shell(
  files: Readonly<Record<string, string>>,
  seed: (app: App) => Promise<void> = async () => undefined,
) {
  let isSeeded = false;
  const line = createCommandLine({
    async createApp(host) {
      const app = await createApp(host);
      return {
        ...app,
        async openVault(path) {
          const opened = await app.openVault(path);
          if (!isSeeded) await seed(app);
          isSeeded = true;
          return opened;
        },
      };
    },
  });
  const vault = join(line.folder, 'vault');
  mkdirSync(join(vault, '.interlinear'), { recursive: true });
  const put = (path: string, text: string) => writeFileSync(join(vault, path), text);
  for (const [path, text] of Object.entries(files)) put(path, text);
  const run = async (...argv: string[]) => {
    line.printed.out = '';
    line.printed.err = '';
    const code = await line.run(...argv);
    return { code, ...line.printed };
  };
  const json = async (...argv: string[]) => {
    const { code, out, err } = await run(...argv, '--json');
    expect([code, err]).toEqual([0, '']);
    return JSON.parse(out);
  };
  const data = join(line.folder, 'data');
  return { vault, data, put, run, json, note: (path: string) => join(vault, path) };
}

test('versions of a note are listed and shown, and one is restored by its id, or one difference of it', async () => {
  const { note, put, run, json } = shell({ 'A.md': 'one\na\nb\nc\ntwo\n' });
  expect(await json('history', note('A.md'))).toHaveLength(1);
  put('A.md', 'ONE\na\nb\nc\nTWO\n');
  const entries: TimelineEntry[] = await json('history', note('A.md'));
  expect(entries.map(({ kind, by }) => [kind, by.map((one) => one.kind)])).toEqual([
    ['text', ['disk']],
    ['text', []],
  ]);
  const old = entries[1]?.id ?? '';
  expect((await run('history', note('A.md'))).out).toMatch(/\tanother program\tchanged \+2 -2\n/);
  expect(await run('history', 'show', note('A.md'), old)).toMatchObject({
    code: 0,
    out: 'one\na\nb\nc\ntwo\n',
  });
  const diff = await run('history', 'show', '--diff', note('A.md'), old);
  expect(diff.out).toContain('@@ 2 line 5 @@');
  expect(diff.out).toContain('-TWO\n+two\n');

  expect((await run('restore', note('A.md'), old, '--hunk', '2')).code).toBe(0);
  expect(readFileSync(note('A.md'), 'utf8')).toBe('ONE\na\nb\nc\ntwo\n');
  expect(await json('restore', note('A.md'), old)).toMatchObject({ path: 'A.md', saved: true });
  expect(readFileSync(note('A.md'), 'utf8')).toBe('one\na\nb\nc\ntwo\n');
  const after: TimelineEntry[] = await json('history', note('A.md'));
  expect(after[0]).toMatchObject({ cause: 'restored', by: [{ kind: 'you' }] });
});

test('a deleted note is listed, shown and brought back', async () => {
  const { vault, note, run, json } = shell({ 'A.md': 'kept\r\n', 'B.md': '' });
  expect(await json('history', 'deleted', '--vault', vault)).toEqual([]);
  rmSync(note('A.md'));
  const [gone] = await json('history', 'deleted', '--vault', vault);
  expect(gone).toMatchObject({ path: 'A.md', how: 'deleted' });
  expect((await run('history', 'show', 'A.md', gone.id, '--vault', vault)).out).toBe('kept\r\n');
  expect(await json('restore', 'A.md', gone.id, '--vault', vault)).toEqual({ path: 'A.md' });
  expect(readFileSync(note('A.md'), 'utf8')).toBe('kept\r\n');
});

test('a line that has no text of its own, as that a note was deleted, leads to the text before it', async () => {
  const { vault, note, put, run, json } = shell({ 'A.md': 'one\n', 'B.md': '' });
  await json('history', note('A.md'));
  put('A.md', 'two\n');
  await json('history', note('A.md'));
  rmSync(note('A.md'));
  const [gone, last]: TimelineEntry[] = await json('history', 'A.md', '--vault', vault);
  expect([gone?.kind, last?.kind]).toEqual(['gone', 'text']);
  const id = gone?.id ?? '';
  expect(await run('history', 'show', 'A.md', id, '--vault', vault)).toMatchObject({ code: 0, out: 'two\n' });
  // What is forgotten is meant exactly.
  expect((await run('history', 'forget', 'A.md', id, '--vault', vault, '--yes')).code).not.toBe(0);
  expect(await json('restore', 'A.md', id, '--vault', vault)).toEqual({ path: 'A.md' });
  expect(readFileSync(note('A.md'), 'utf8')).toBe('two\n');
});

const commandsOfVersions = (vault: string, note: string, id: string) => [
  ['history', note],
  ['history', 'show', note, id],
  ['history', 'deleted', '--vault', vault],
  ['history', 'answers', '--vault', vault],
  ['restore', note, id],
  ['restore', '--before-answer', 'x', '--vault', vault],
  // After it nothing is there to be lost.
  ['history', 'forget', '--all', '--yes', '--vault', vault],
];

/** A vault with one note that has a version, and where the index of it is. */
async function withIndex() {
  const { vault, data, note, json, run } = shell({ 'A.md': 'one\n' });
  const [{ id }] = await json('history', note('A.md'));
  const [folder = ''] = readdirSync(join(data, 'versions'));
  return { vault, run, index: join(data, 'versions', folder, 'index.log'), note: note('A.md'), id };
}

test('where what is kept cannot be read, every command that needs it says so', async () => {
  const { vault, index, note, id, run } = await withIndex();
  // More than is ever read.
  truncateSync(index, 300 * 1024 * 1024);
  for (const words of commandsOfVersions(vault, note, id)) {
    const { code, err } = await run(...words, '--json');
    expect([code, err], words.join(' ')).toEqual([1, expect.stringContaining('"versions.damaged"')]);
    expect(err).toContain('What was kept of this vault’s notes cannot be read.');
  }
});

test.for<[string, (index: string) => void, RegExp]>([
  [
    'garbled',
    (index) => writeFileSync(index, 'no such thing\n'),
    /index\.log \(versions\): damaged\. Lost: 1 version/,
  ],
  ['missing', (index) => rmSync(index), /index\.log \(versions\): damaged\. Lost: \d version/],
  [
    'a folder',
    (index) => {
      rmSync(index, { recursive: true, force: true });
      mkdirSync(index);
    },
    /index\.log \(versions\): damaged\. It was not a file\. The old file is .*index\.log\.damaged-\d+\./,
  ],
])('a command that finds an index %s first is the one that tells of it', async ([, damage, words]) => {
  const { vault, index, note, id, run } = await withIndex();
  for (const command of [
    ['recover', '--vault', vault],
    ['tools', 'list', '--vault', vault],
    ...commandsOfVersions(vault, note, id),
  ]) {
    damage(index);
    const told = (await run(...command)).err.split('\n').filter((line) => line.includes('index.log'));
    expect(told[0] ?? '', command.join(' ')).toMatch(words);
    // And no second one, once it is mended.
    expect((await run(...command)).err, command.join(' ')).not.toContain('index.log');
  }
});

test('a note that is gone is found by its whole path, too, beside the name of its vault', async () => {
  const { vault, note, json } = shell({ 'A.md': 'one\n', 'B.md': 'two\n' });
  expect(await json('history', note('A.md'))).toHaveLength(1);
  rmSync(note('A.md'));
  const byName: TimelineEntry[] = await json('history', 'A.md', '--vault', vault);
  expect(byName.length).toBeGreaterThan(0);
  expect(await json('history', note('A.md'), '--vault', vault)).toEqual(byName);
});

test('a deleted note whose name another one has by now is shown and brought back by its id', async () => {
  const { vault, note, put, run, json } = shell({ 'A.md': 'the first\n', 'B.md': '' });
  await json('history', note('A.md'));
  rmSync(note('A.md'));
  const [gone] = await json('history', 'deleted', '--vault', vault);
  put('A.md', 'QUITE 12345 DIFFERENT');
  expect((await run('history', 'show', 'A.md', gone.id, '--vault', vault)).out).toBe('the first\n');
  const { path } = await json('restore', 'A.md', gone.id, '--vault', vault);
  expect(path).not.toBe('A.md');
  expect(readFileSync(note(path), 'utf8')).toBe('the first\n');
  expect(readFileSync(note('A.md'), 'utf8')).toBe('QUITE 12345 DIFFERENT');
});

test('while the app runs, a look at the history makes no version: who changed a note is the app’s to tell', async () => {
  const { data, note, put, json } = shell({ 'A.md': 'one\n' });
  const kept = () => json('history', note('A.md')) as Promise<TimelineEntry[]>;
  expect(await kept()).toHaveLength(1);
  const instance = takeInstanceLock(data);
  if (instance.kind !== 'taken') throw new Error(instance.kind);
  put('A.md', 'one\ntyped in its window\n');
  expect(await kept()).toHaveLength(1);
  expect(await kept()).toHaveLength(1);
  instance.lock.release();
  expect(await kept()).toHaveLength(2);
});

test('what an answer’s tools changed is shown, and done only with --yes; what is named with --skip stays', async () => {
  const answer = { runId: 'run-1', note: 'Chat.md', model: 'model-1', startedAt: 1 };
  const args = { paths: ['A.md', 'B.md', 'C.md'] };
  const call = { callId: 'c1', server: 'files', tool: 'write', arguments: args, readOnly: false, answer };
  const { vault, note, put, run, json } = shell(
    { 'A.md': 'one\na\nb\nc\ntwo\n', 'B.md': 'bee\n', 'C.md': 'sea\n', 'D.md': 'dee\n' },
    async (app) => {
      await app.versions.callBegins(call);
      for (const [path, text] of Object.entries({
        'A.md': 'ONE\na\nb\nc\nTWO\n',
        'B.md': 'BEE\n',
        'C.md': 'SEA\n',
        'D.md': 'DEE\n',
      }))
        put(path, text);
      await app.vault.sweep();
      await app.versions.settled();
      await app.versions.callEnds('c1');
    },
  );
  expect(await json('history', 'answers', '--vault', vault)).toMatchObject([{ runId: 'run-1', notes: 4 }]);
  const restore = [
    'restore',
    '--before-answer',
    'run-1',
    '--vault',
    vault,
    '--skip',
    'A.md:2',
    '--skip',
    'B.md',
  ];
  const shown = await run(...restore);
  expect(shown.out).toContain('C.md\tchanged\tfiles · write\n');
  expect(shown.out).toContain('D.md\tchanged\twhile running files · write (not certain: stays unless');
  expect(shown.out).toContain('-SEA\n+sea\n');
  expect(shown.out).toContain('add --yes');
  expect(readFileSync(note('C.md'), 'utf8')).toBe('SEA\n');
  expect((await run(...restore, '--yes')).out).toBe('A.md\trestored\nC.md\trestored\n');
  expect(readFileSync(note('A.md'), 'utf8')).toBe('one\na\nb\nc\nTWO\n');
  expect(readFileSync(note('B.md'), 'utf8')).toBe('BEE\n');
  expect(readFileSync(note('C.md'), 'utf8')).toBe('sea\n');
  expect(readFileSync(note('D.md'), 'utf8')).toBe('DEE\n');
  await run(...restore, '--yes', '--only', 'D.md');
  expect(readFileSync(note('D.md'), 'utf8')).toBe('dee\n');
});

test('what does not exist has code 3, and what was not understood code 2', async () => {
  const { vault, note, run } = shell({ 'A.md': 'one\n' });
  expect((await run('history', join(vault, 'No.md'))).code).toBe(3);
  expect((await run('history', 'show', note('A.md'), 'zzzz')).code).toBe(3);
  expect((await run('restore', note('A.md'), 'zzzz')).code).toBe(3);
  expect((await run('restore', '--before-answer', 'none', '--vault', vault)).code).toBe(3);
  expect((await run('restore', note('A.md'))).code).toBe(2);
  expect((await run('history', 'answers', '--vault', vault)).out).toContain('No answer');
});

test('a question from standard input leaves no version behind', async () => {
  const line = createCommandLine({ createApp }, { input: 'What grows?' });
  expect(await line.run('ask', '-', '--provider', 'demo')).toBe(0);
  const folder = join(line.folder, 'data', 'versions');
  expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
});

test('a path may begin at the home folder, also where no shell has seen it', async () => {
  const { note, run } = shell({ 'A.md': 'one\n' });
  const there = note('A.md');
  vi.stubEnv('HOME', dirname(dirname(there)));
  expect(await run('history', '~/vault/A.md', '--json')).toMatchObject({ code: 0 });
  expect(await run('servers', 'list', '--vault', '~/vault')).toMatchObject({ code: 0 });
});

afterEach(() => vi.unstubAllEnvs());

test('what is forgotten is gone from the disk, too, and nothing else is', async () => {
  const { note, put, run, json, vault } = shell({ 'A.md': 'secret one\n', 'B.md': 'kept\n' });
  await json('history', note('A.md'));
  await json('history', note('B.md'));
  put('A.md', 'harmless\n');
  const entries: TimelineEntry[] = await json('history', note('A.md'));
  const objects = () => {
    const data = join(vault, '..', 'data', 'versions');
    return readdirSync(data, { recursive: true }).filter((name) =>
      /objects.[0-9a-f]{2}.[0-9a-f]/.test(String(name)),
    );
  };
  expect(objects()).toHaveLength(3);
  expect((await run('history', 'forget', note('A.md'), entries[1]?.id ?? '')).out).toContain('add --yes');
  expect(objects()).toHaveLength(3);
  expect(await json('history', 'forget', note('A.md'), entries[1]?.id ?? '', '--yes')).toEqual({
    forgotten: 1,
  });
  expect(objects()).toHaveLength(2);
  rmSync(note('A.md'));
  expect(await json('history', 'deleted', '--vault', vault)).toHaveLength(1);
  expect(await json('history', 'forget', '--deleted', '--vault', vault, '--yes')).toEqual({ forgotten: 1 });
  expect(await json('history', 'deleted', '--vault', vault)).toEqual([]);
  expect(objects()).toHaveLength(1);
});

test('the only note of a vault is known to be gone', async () => {
  const { note, json, vault } = shell({ 'A.md': 'all there is\n' });
  await json('history', note('A.md'));
  rmSync(note('A.md'));
  expect(await json('history', 'deleted', '--vault', vault)).toMatchObject([{ path: 'A.md' }]);
});

test('versions are the folder’s: they go with it where it is moved, come back with a backup, and are no stranger’s', async () => {
  const { note, put, json, run, vault } = shell({ 'A.md': 'mine\n', 'B.md': 'mine, too\n' });
  await json('history', note('A.md'));
  put('A.md', 'mine, changed\n');
  await json('history', note('A.md'));
  await json('history', note('B.md'));
  const moved = `${vault}-moved`;
  renameSync(vault, moved);
  mkdirSync(join(vault, '.interlinear'), { recursive: true });
  put('A.md', 'a stranger’s\n');
  expect(await json('history', note('A.md'))).toHaveLength(1);
  expect((await run('history', 'deleted', '--vault', vault)).out).not.toContain('B.md');
  expect(await json('history', join(moved, 'A.md'))).toHaveLength(2);
  rmSync(vault, { recursive: true });
  // As from a backup: the same notes in another folder.
  mkdirSync(join(vault, '.interlinear'), { recursive: true });
  for (const name of ['A.md', 'B.md']) put(name, readFileSync(join(moved, name), 'utf8'));
  rmSync(moved, { recursive: true });
  expect(await json('history', note('A.md'))).toHaveLength(2);
});
