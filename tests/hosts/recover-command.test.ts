import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { printHeader, printRecords } from '../../src/core/notes/journal/records';

const root = resolve(import.meta.dirname, '../..');
let folder: string;
let vault: string;
let data: string;

beforeAll(() => {
  const built = spawnSync(process.execPath, [join(root, 'scripts/ensure-built.mjs')], { stdio: 'inherit' });
  expect(built.status).toBe(0);
}, 120_000);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recover-'));
  [vault, data] = [join(folder, 'vault'), join(folder, 'data')];
  mkdirSync(vault);
  mkdirSync(join(data, 'kept'), { recursive: true });
  put('Other.md', '');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const put = (path: string, text: string) => writeFileSync(join(vault, path), text);
const noteText = (path: string) => readFileSync(join(vault, path), 'utf8');

function start(...args: string[]) {
  const child = spawn(
    process.execPath,
    [join(root, 'bin/interlinear.mjs'), 'recover', ...args, '--vault', vault],
    {
      cwd: folder,
      env: { ...process.env, INTERLINEAR_DATA: data, HOME: folder, USERPROFILE: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const printed = { out: '', err: '' };
  child.stdout.on('data', (chunk) => (printed.out += chunk));
  child.stderr.on('data', (chunk) => (printed.err += chunk));
  return { child, printed, exit: once(child, 'close') };
}

async function run(...args: string[]) {
  const { printed, exit } = start(...args);
  const [code] = await exit;
  return { code, ...printed };
}
const texts = async () => JSON.parse((await run('list', '--json')).out).texts;

/** What an app that was killed left of this note, whose records are damaged from the second on. */
function leaveDamagedJournal(): void {
  const base = 'one\n';
  const header = {
    ...{
      format: 1 as const,
      root: vault,
      path: 'A.md',
      sessionId: 'abc',
      version: 0,
      base: null,
      file: null,
    },
    ...{ ahead: null, recent: [], underway: null, vault: null, baseFile: null, observed: null },
  };
  const update = (version: number, length: number, word: string) =>
    printRecords([
      { kind: 'update', version, update: { clientId: 'window-1', changes: [length, [0, word, '']] } },
    ]);
  const records = [update(0, 4, 'first'), update(1, 10, 'second').fill(0, 9, 60), update(2, 17, 'third')];
  mkdirSync(join(data, 'journals'), { recursive: true });
  writeFileSync(join(data, 'journals/abc.journal'), Buffer.concat([printHeader(header, base), ...records]));
}

test('what a damaged journal held is listed, shown by its parts, put into its note, and discarded with --yes', {
  timeout: 600_000,
}, async () => {
  put('A.md', 'another text\n');
  leaveDamagedJournal();
  const [text] = await texts();
  expect(text).toMatchObject({ note: 'A.md', reason: 'damaged', now: { kind: 'there', path: 'A.md' } });
  const line = (await run('list')).out;
  expect(line).toMatch(
    new RegExp(`^${text.id}\\t.*\\tdamaged\\tA\\.md\\tA\\.md\\ttext \\d+ B, after \\d+ B\\n$`),
  );
  expect(await run('show', text.id)).toMatchObject({ code: 0, out: 'one\nfirst\n' });
  expect((await run('show', text.id, '--part', 'after')).out).toContain('third');
  const diff = (await run('show', text.id.slice(0, 6), '--diff')).out;
  expect(diff).toContain('-another text\n+one\n+first\n');
  expect(await run('restore', text.id, '--part', 'after', '--in-note')).toMatchObject({ code: 2 });
  expect(await run('restore', text.id, '--in-note')).toMatchObject({ code: 0, out: 'Restored: A.md\n' });
  expect(noteText('A.md')).toBe('one\nfirst\n');
  expect((await run('discard', text.id)).out).toContain('add --yes');
  expect(await texts()).toHaveLength(1);
  expect(await run('discard', text.id, '--yes')).toMatchObject({ code: 0, out: 'Discarded: A\n' });
  expect(await texts()).toEqual([]);
  expect((await run('list')).out).toBe('Nothing had to be recovered.\n');
  const missing = await run('show', text.id, '--json');
  expect(missing.code).toBe(3);
  expect(JSON.parse(missing.err)).toMatchObject({ kind: 'error', code: 'recovery.unknown' });
});

test('a text comes back as a note at its old path, or the next free one', async () => {
  put('A.md', 'there already\n');
  writeFileSync(join(data, 'kept/A 2026-11-20T08.00.00.md'), 'older\r\n');
  const [{ id }] = await texts();
  expect(JSON.parse((await run('restore', id, '--json')).out)).toEqual({ path: 'A 2.md', saved: true });
  expect(noteText('A 2.md')).toBe('older\r\n');
  expect(noteText('A.md')).toBe('there already\n');
});

const kills = process.env.TORTURE === '1' ? 60 : 5;

test.each([
  ['as a new note', []],
  ['in its note', ['--in-note']],
] as const)(
  'killed at any time while a text is restored %s: the note is as it was or as it shall be, and the text is there',
  async (_how, options) => {
    const [before, text] = ['before\n'.repeat(20_000), 'recovered\n'.repeat(30_000)];
    const about = {
      ...{ format: 1, note: 'A.md', vault: { root: vault, id: null }, reason: 'window', at: 1, file: null },
      ...{ parts: { text: 'A.md' }, restored: null },
    };
    const prepare = () => {
      for (const old of readdirSync(vault)) if (old.endsWith('.md')) rmSync(join(vault, old));
      rmSync(join(data, 'kept'), { recursive: true });
      mkdirSync(join(data, 'kept/A'), { recursive: true });
      put('Other.md', '');
      if (options.length > 0) put('A.md', before);
      writeFileSync(join(data, 'kept/A/about.json'), JSON.stringify(about));
      writeFileSync(join(data, 'kept/A/A.md'), text);
    };
    prepare();
    const [{ id }] = await texts();
    const started = performance.now();
    await run('restore', id, ...options);
    const took = performance.now() - started;
    let killed = 0;
    for (let at = 0; at < kills; at++) {
      prepare();
      const { child, exit } = start('restore', id, ...options);
      const timer = setTimeout(() => child.kill('SIGKILL'), took * (0.4 + (0.6 * at) / kills));
      const [, signal] = await exit;
      clearTimeout(timer);
      if (signal) killed++;
      // The next start finishes what was in the journal.
      expect((await run('show', id)).out).toBe(text);
      const allowed = options.length > 0 ? [before, text] : [null, text];
      expect(allowed).toContain(existsSync(join(vault, 'A.md')) ? noteText('A.md') : null);
    }
    expect(killed).toBeGreaterThan(0);
  },
  600_000,
);
