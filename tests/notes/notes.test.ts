import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SaveState } from '../../src/contract/notes';
import { createLog, systemClock } from '../../src/core/foundation';
import { createNotes, type Notes } from '../../src/core/notes';
import { createVault, type Vault } from '../../src/core/vault';
import { createFollower, type Follower } from './follower';

let folder: string;
let root: string;
let vault: Vault;
let notes: Notes;
let followers: Follower[];

const log = createLog(() => undefined);
const read = (path: string) => readFile(join(root, path), 'utf8');
const put = (path: string, text: string | Uint8Array) => writeFile(join(root, path), text);
const journals = () => readdir(join(folder, 'data', 'journals')).catch(() => []);

function newVault() {
  return createVault({ log, clock: systemClock, trust: { isTrusted: () => true }, moveToTrash: unlink });
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'notes-'));
  root = join(folder, 'vault');
  await mkdir(root);
  vault = newVault();
  await vault.open(root);
  notes = createNotes({ vault, dataFolder: join(folder, 'data'), log, clock: systemClock });
  followers = [];
});
afterEach(async () => {
  for (const follower of followers) follower.disconnect();
  await notes.close();
  await vault.close();
  await rm(folder, { recursive: true, force: true });
});

async function join_(path: string, clientId: string): Promise<Follower> {
  const follower = createFollower(path, clientId);
  followers.push(follower);
  follower.connect(notes);
  await follower.until(() => follower.sessionId !== null);
  return follower;
}

const lastSave = (follower: Follower): SaveState | undefined =>
  follower.events.flatMap((event) => ('save' in event ? [event.save] : [])).at(-1);
const until = (follower: Follower, kind: SaveState['kind']) =>
  follower.until(() => lastSave(follower)?.kind === kind);

test('two windows and a run write into one note, all see the same, and it is saved', async () => {
  await put('A.md', 'hello\n');
  const a = await join_('A.md', 'a');
  const b = await join_('A.md', 'b');
  const { session, release } = await notes.hold('A.md');
  const end = session.anchor(6, 1);
  a.type(0, 0, 'A: ');
  b.type(5, 5, ' from b');
  session.edit('run', { from: end.position(), insert: 'answer' });
  await a.until(() => a.text() === 'A: hello from b\nanswer' && !a.hasUnsent());
  await b.until(() => b.text() === a.text());
  expect(session.text()).toBe(a.text());
  expect(end.position()).toBe(a.text().length);
  await until(a, 'saved');
  expect(await read('A.md')).toBe('A: hello from b\nanswer');
  release();
});

test.each([
  ['CRLF', 'one\r\ntwo\r\nthree\r\n', 'Xone\r\ntwo\r\nthree\r\n'],
  ['mixed line ends', 'one\r\ntwo\nthree\rfour\r\n', 'Xone\r\ntwo\nthree\rfour\r\n'],
  ['no final line end', 'one\ntwo', 'Xone\ntwo'],
  ['a byte order mark', '\uFEFFone\r\n', '\uFEFFXone\r\n'],
  ['nothing', '', 'X'],
])('a note with %s keeps every byte that nobody edited', async (_name, before, after) => {
  await put('A.md', before);
  const { session, release } = await notes.hold('A.md');
  expect(session.text()).not.toContain('\r');
  expect(await session.save()).toMatchObject({ kind: 'saved' });
  expect(await read('A.md')).toBe(before);
  session.edit('me', { from: 0, insert: 'X' });
  expect(await session.save()).toMatchObject({ kind: 'saved' });
  expect(await read('A.md')).toBe(after);
  release();
});

test('a clean session takes what another program wrote', async () => {
  await put('A.md', 'one\ntwo\n');
  const a = await join_('A.md', 'a');
  await put('A.md', 'one\nnew\ntwo\n');
  await a.until(() => a.text() === 'one\nnew\ntwo\n');
});

for (const first of ['prog\n', 'prog\nmore\n', 'base line\n', 'prog\nbase line\n\nmore\n', 'm'])
  test.each([150, 1_000])(
    `of a note written twice in place every saved word is there once: ${JSON.stringify(first)}, %i ms apart`,
    async (ms) => {
      await put('A.md', 'base line\n\nmore\n');
      const a = await join_('A.md', 'a');
      for (const [at, word] of ['w1 ', 'w2 ', 'w3 '].entries()) {
        a.type(3 * at, 3 * at, word);
        await until(a, 'saved');
      }
      await until(a, 'saved');
      await new Promise((resolve) => setTimeout(resolve, 1_200));
      const onDisk = await read('A.md');
      await put('A.md', first);
      await new Promise((resolve) => setTimeout(resolve, ms));
      await put('A.md', `prog\n${onDisk}`);
      await a.until(() => a.text().includes('prog') && a.text().includes('w1 w2 w3'));
      await new Promise((resolve) => setTimeout(resolve, 700));
      await notes.save('A.md');
      const text = await read('A.md');
      for (const word of ['w1', 'w2', 'w3', 'base', 'more', 'prog'])
        expect({ word, times: text.split(word).length - 1, text }).toEqual({ word, times: 1, text });
    },
  );

test('words saved at two places stay beside what a program writes that had read the note before', async () => {
  const lines = ['topline bm0008z', 'alpha line bm0009z', 'beta line bm0010z', 'gamma line bm0011z'];
  const before = `${lines.map((line) => `${line} here`).join('\n\n')}\n`;
  await put('A.md', before);
  const a = await join_('A.md', 'a');
  const at = before.indexOf('\n\ngamma');
  a.type(at, at, '\nwm0015z\nwm0016z\nwm0017z\n');
  a.type(a.text().length, a.text().length, ' wm0023z wm0024z');
  await expect.poll(() => read('A.md')).toContain('wm0024z');
  await until(a, 'saved');
  await put('A.md', before.replace('here', 'pm0028z here'));
  await a.until(() => a.text().includes('pm0028z'));
  expect(a.text().match(/wm\d+z/g)).toEqual(['wm0015z', 'wm0016z', 'wm0017z', 'wm0023z', 'wm0024z']);
});

test('unsaved typing and another program’s change are both kept', async () => {
  await put('A.md', 'one\ntwo\nthree\n');
  const a = await join_('A.md', 'a');
  a.type(3, 3, ' typed');
  await put('A.md', 'one\ntwo\nthree changed\n');
  await a.until(() => a.text() === 'one typed\ntwo\nthree changed\n');
  await until(a, 'saved');
  expect(await read('A.md')).toBe('one typed\ntwo\nthree changed\n');
});

test('where both changed the same words both are kept, marked and said', async () => {
  await put('A.md', 'one\ntwo\nthree\n');
  const a = await join_('A.md', 'a');
  a.type(4, 7, 'mine');
  await put('A.md', 'one\ntheirs\nthree\n');
  await a.until(() => a.events.some(({ kind }) => kind === 'conflict'));
  expect(a.text()).toBe(
    'one\nmine\n> [!warning] Changed by another program at the same time\n> theirs\nthree\n',
  );
  await until(a, 'saved');
  expect(await read('A.md')).toBe(a.text());
});

test('that both are in the note is not said any longer than it is so', async () => {
  await put('A.md', 'one\ntwo\nthree\n');
  const a = await join_('A.md', 'a');
  const said = () => a.events.flatMap((event) => (event.kind === 'conflict' ? [event.message] : []));
  a.type(4, 7, 'mine');
  await put('A.md', 'one\ntheirs\nthree\n');
  await a.until(() => said().length === 1);
  await until(a, 'saved');
  await put('A.md', `${await read('A.md')}four\n`);
  await a.until(() => a.text().endsWith('four\n'));
  expect(said()).toHaveLength(1);
  await put('A.md', 'one\ntheirs again\nthree\n');
  await a.until(() => said().length === 2);
  expect(said()[1]).toMatch(/History/);
  expect(a.text()).toBe('one\ntheirs again\nthree\n');
});

test('a follower that lost its wire gets what it missed, and what it resends is not doubled', async () => {
  await put('A.md', '');
  const a = await join_('A.md', 'a');
  const b = await join_('A.md', 'b');
  a.type(0, 0, 'first ');
  // Gone before the acknowledgement: the core has the change, the follower does not know.
  a.disconnect();
  a.type(6, 6, 'second ');
  await b.until(() => b.text() === 'first ');
  b.type(0, 0, 'b ');
  await b.until(() => !b.hasUnsent());
  a.connect(notes);
  await a.until(() => !a.hasUnsent());
  expect(a.events.at(-1)?.kind === 'opened').toBe(false);
  await b.until(() => b.text() === a.text());
  expect(a.text()).toBe('b first second ');
});

test('an old offset is mapped to now', async () => {
  await put('A.md', 'abc');
  const { session, release } = await notes.hold('A.md');
  session.edit('me', { from: 0, insert: '12' });
  session.edit('me', { from: 5, insert: '345' });
  expect(session.mapFrom(0, 3, -1)).toBe(5);
  expect(session.mapFrom(0, 3, 1)).toBe(8);
  expect(session.mapFrom(session.version, 4, 1)).toBe(4);
  release();
});

test('a note deleted by another program is not written again until the person says so', async () => {
  await put('A.md', 'text');
  const a = await join_('A.md', 'a');
  await unlink(join(root, 'A.md'));
  await until(a, 'deleted');
  a.type(0, 0, 'more ');
  await a.until(() => !a.hasUnsent());
  const { session, release } = await notes.hold('A.md');
  expect(await session.save()).toEqual({ kind: 'deleted' });
  await expect(read('A.md')).rejects.toThrow('ENOENT');
  expect(await notes.save('A.md')).toMatchObject({ kind: 'saved' });
  expect(await read('A.md')).toBe('more text');
  release();
});

test('a read-only note opens, and can not be edited', async () => {
  await put('A.md', 'text');
  await chmod(join(root, 'A.md'), 0o444);
  const a = await join_('A.md', 'a');
  expect(a.events[0]).toMatchObject({ kind: 'opened', readOnly: true });
  const { session, release } = await notes.hold('A.md');
  expect(() => session.edit('me', { from: 0, insert: 'x' })).toThrow('read-only');
  release();
});

test('a note that becomes read-only keeps its text in the journal and is saved when it may be', async () => {
  await put('A.md', 'text');
  const a = await join_('A.md', 'a');
  await chmod(join(root, 'A.md'), 0o444);
  a.type(0, 0, 'more ');
  await until(a, 'read-only');
  expect(await read('A.md')).toBe('text');
  expect(await journals()).toHaveLength(1);
  await chmod(join(root, 'A.md'), 0o644);
  await until(a, 'saved');
  expect(await read('A.md')).toBe('more text');
});

test('a vault that is moved away fails loudly, creates nothing, and is saved when it is back', async () => {
  await put('A.md', 'text');
  const a = await join_('A.md', 'a');
  await rename(root, join(folder, 'elsewhere'));
  a.type(0, 0, 'more ');
  await until(a, 'failed');
  expect(await readdir(folder)).toEqual(['data', 'elsewhere']);
  await rename(join(folder, 'elsewhere'), root);
  await until(a, 'saved');
  expect(await read('A.md')).toBe('more text');
});

test('a renamed note goes on under its new name, with its unsaved text', async () => {
  await vault.createFolder('sub');
  await put('sub/A.md', 'text');
  const a = await join_('sub/A.md', 'a');
  a.type(0, 0, 'more ');
  await a.until(() => !a.hasUnsent());
  await vault.rename('sub', 'other');
  await a.until(() => a.events.some((event) => event.kind === 'renamed' && event.path === 'other/A.md'));
  expect(notes.opened('other/A.md')?.text()).toBe('more text');
  expect(notes.opened('sub/A.md')).toBeUndefined();
  await until(a, 'saved');
  expect(await read('other/A.md')).toBe('more text');
});

test('what another part of the app writes into an open note arrives there', async () => {
  await put('A.md', 'text');
  const a = await join_('A.md', 'a');
  const { version } = await vault.read('A.md');
  await vault.write('A.md', 'text by an agent', version);
  await a.until(() => a.text() === 'text by an agent');
});

test('changes that do not fit are refused and change nothing', async () => {
  await put('A.md', 'text');
  const a = await join_('A.md', 'a');
  const sessionId = a.sessionId ?? '';
  const refused = [
    [99],
    [[0, 'x']],
    [4, [-1, 'x']],
    ['x'],
    'x',
    { a: 1 },
    [[4, 'a\nb']],
    [4.5],
    [2, [2, 'a\r']],
  ];
  for (const changes of refused)
    await expect(notes.push('A.md', sessionId, 0, [{ clientId: 'x', changes }])).rejects.toMatchObject({
      code: 'request.invalid',
    });
  await expect(notes.push('A.md', 'other', 0, [{ clientId: 'x', changes: [4] }])).rejects.toMatchObject({
    code: 'note.session-gone',
  });
  await expect(notes.push('A.md', sessionId, 7, [{ clientId: 'x', changes: [4] }])).rejects.toMatchObject({
    code: 'note.session-gone',
  });
  expect(notes.opened('A.md')?.text()).toBe('text');
});

test('closing saves, and leaves no journal', async () => {
  await put('A.md', 'text');
  const { session } = await notes.hold('A.md');
  session.edit('me', { from: 0, insert: 'more ' });
  expect(await journals()).toHaveLength(1);
  await notes.close();
  expect(await read('A.md')).toBe('more text');
  expect(await journals()).toEqual([]);
});

test('a note that is not there can not be opened; one that was just created can', async () => {
  await expect(notes.hold('New.md')).rejects.toMatchObject({ code: 'vault.not-found' });
  await vault.create('New.md', '');
  const { session, release } = await notes.hold('New.md');
  expect(session.text()).toBe('');
  release();
});
