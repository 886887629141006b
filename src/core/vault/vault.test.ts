import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmod,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { VaultChange, VaultState } from '../../contract/vault';
import { createLog, systemClock } from '../foundation';
import { createVault, type DiskChange, type Vault } from './index';

let folder: string;
let root: string;
let vault: Vault;
let ending: AbortController;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vault-'));
  root = join(folder, 'My notes');
  await mkdir(root);
  ending = new AbortController();
  vault = createVault({
    log: createLog(() => undefined),
    clock: systemClock,
    trust: { isTrusted: () => false },
    moveToTrash: (path) => rename(path, join(folder, `trashed-${path.split('/').at(-1)}`)),
  });
});
afterEach(async () => {
  ending.abort();
  await vault.close();
  await rm(folder, { recursive: true, force: true });
});

const put = async (path: string, text: string | Uint8Array = '') => {
  await mkdir(join(root, path, '..'), { recursive: true });
  await writeFile(join(root, path), text);
};
const hash = (data: string) => createHash('sha256').update(data).digest('hex');
const paths = () =>
  vault
    .entries()
    .map(({ path }) => path)
    .sort();

/** Resolves with all changes so far once `done` likes them. */
function diskChanges(done: (seen: { changed: Set<string>; removed: Set<string> }) => boolean) {
  const seen = { changed: new Set<string>(), removed: new Set<string>() };
  return new Promise<typeof seen>((resolve) => {
    const stop = vault.onDiskChange(({ changed, removed }: DiskChange) => {
      for (const path of changed) seen.changed.add(path);
      for (const path of removed) seen.removed.add(path);
      if (done(seen)) {
        stop();
        resolve(seen);
      }
    });
  });
}

async function stateOf(kind: VaultState['kind']) {
  for await (const state of vault.state.follow(ending.signal)) if (state.kind === kind) return state;
  throw new Error('ended');
}

test('opening shows folders, notes and files, without dot folders, node_modules and links that lead outside', async () => {
  await put('A.md', 'text');
  await put('sub/deep/B.md');
  await put('pic.png');
  await put('.git/config');
  await put('.interlinear/mcp.json', '{}');
  await put('node_modules/x/readme.md');
  await writeFile(join(folder, 'outside.md'), '');
  await symlink(join(folder, 'outside.md'), join(root, 'out.md'));
  await symlink('A.md', join(root, 'alias.md'));
  await symlink('..', join(root, 'sub', 'loop'));
  await vault.open(root);
  expect(paths()).toEqual(['A.md', 'alias.md', 'pic.png', 'sub', 'sub/deep', 'sub/deep/B.md']);
  expect(vault.entries().find(({ path }) => path === 'A.md')).toMatchObject({ kind: 'note', size: 4 });
  expect(vault.state.get()).toMatchObject({
    kind: 'open',
    name: 'My notes',
    writable: true,
  });
});

test('a file instead of a folder, and nothing at all, are said clearly', async () => {
  await put('A.md');
  await expect(vault.open(join(root, 'A.md'))).rejects.toMatchObject({ code: 'vault.not-a-folder' });
  await expect(vault.open(join(root, 'none'))).rejects.toMatchObject({ code: 'vault.not-found' });
  expect(() => vault.root()).toThrow('No vault is open');
});

test('reading gives the bytes as text with their hash', async () => {
  await put('A.md', '\uFEFFone\r\ntwo');
  await put('latin.md', Uint8Array.of(0x63, 0x61, 0x66, 0xe9));
  await vault.open(root);
  expect(await vault.read('A.md')).toMatchObject({
    text: '\uFEFFone\r\ntwo',
    version: hash('\uFEFFone\r\ntwo'),
  });
  await expect(vault.read('latin.md')).rejects.toMatchObject({ code: 'vault.not-text' });
  await expect(vault.read('none.md')).rejects.toMatchObject({ code: 'vault.not-found' });
  await expect(vault.read('../outside.md')).rejects.toMatchObject({ code: 'vault.outside' });
  await expect(vault.readBytes('A.md', 3)).rejects.toMatchObject({ code: 'vault.too-large' });
});

test('a link to the folder that the vault lies in is neither shown nor read, and nothing is written there', async () => {
  await put('A.md', 'text');
  await writeFile(join(folder, 'Outside.md'), 'outside');
  await symlink('..', join(root, 'Up'));
  await symlink('..', join(root, 'Up.md'));
  await vault.open(root);
  const before = await readdir(folder);
  expect(paths()).toEqual(['A.md']);
  for (const path of ['Up', 'Up.md', 'Up/Outside.md'])
    for (const act of [
      () => vault.resolve(path),
      () => vault.read(path),
      () => vault.readBytes(path, 1_000),
      () => vault.mayWrite(path),
      () => vault.write(path, 'mine', null),
      () => vault.write(path, 'mine', hash('outside')),
      () => vault.create(path, 'mine'),
      () => vault.createFolder(path),
      () => vault.rename('A.md', path),
    ])
      await expect(act(), `${path}: ${act}`).rejects.toMatchObject({ code: 'vault.outside' });
  expect(await readdir(folder)).toEqual(before);
  expect(await readFile(join(folder, 'Outside.md'), 'utf8')).toBe('outside');
  expect((await vault.read('A.md')).text).toBe('text');
});

test('a write needs the version that is on disk', async () => {
  await put('A.md', 'one');
  await vault.open(root);
  const { version } = await vault.write('A.md', 'two', hash('one'));
  expect(version).toBe(hash('two'));
  await expect(vault.write('A.md', 'three', hash('one'))).rejects.toMatchObject({
    code: 'vault.changed',
    details: { path: 'A.md', version: hash('two') },
  });
  await expect(vault.write('A.md', 'three', null)).rejects.toMatchObject({ code: 'vault.changed' });
  await expect(vault.write('gone.md', 'x', hash(''))).rejects.toMatchObject({ code: 'vault.not-found' });
  await vault.write('new/B.md', 'b', null);
  expect(paths()).toEqual(['A.md', 'new', 'new/B.md']);
  expect(await readFile(join(root, 'A.md'), 'utf8')).toBe('two');
});

test('of two writes over the same version one is refused', async () => {
  await put('A.md', 'one');
  await vault.open(root);
  const outcomes = await Promise.allSettled(['x', 'y'].map((text) => vault.write('A.md', text, hash('one'))));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
});

test('a read-only note is not written', async () => {
  await put('A.md', 'one');
  await chmod(join(root, 'A.md'), 0o444);
  await vault.open(root);
  expect(await vault.mayWrite('A.md')).toBe(false);
  await expect(vault.write('A.md', 'two', hash('one'))).rejects.toMatchObject({ code: 'vault.read-only' });
});

test('a new note takes the next free name, also against names that only some disks tell apart', async () => {
  await put('Note.md');
  await vault.open(root);
  expect(await vault.create('Note.md', '')).toEqual({ path: 'Note 2.md' });
  expect(await vault.create('note.md', '')).toEqual({ path: 'note 3.md' });
  await vault.create('caf\u00e9.md', '');
  expect(await vault.create('cafe\u0301.md', '')).toEqual({ path: 'cafe\u0301 2.md' });
  expect(await vault.writeBytes('att/p.png', Uint8Array.of(1))).toEqual({ path: 'att/p.png' });
  expect(await vault.writeBytes('att/p.png', Uint8Array.of(2))).toEqual({ path: 'att/p 2.png' });
});

test('rename, folders and trash show at once and are not taken for another program', async () => {
  await put('sub/A.md', 'a');
  await put('B.md', 'b');
  await vault.open(root);
  const reported: DiskChange[] = [];
  vault.onDiskChange((change) => reported.push(change));
  await vault.createFolder('new/inner');
  await vault.rename('sub', 'new/moved');
  expect(paths()).toEqual(['B.md', 'new', 'new/inner', 'new/moved', 'new/moved/A.md']);
  await expect(vault.rename('B.md', 'new/moved/A.md')).rejects.toMatchObject({ code: 'vault.exists' });
  await expect(vault.rename('new', 'new/inner/x')).rejects.toMatchObject({ code: 'vault.outside' });
  await vault.trash('new/moved');
  const { version } = await vault.read('B.md');
  await vault.write('B.md', 'bb', version);
  expect(paths()).toEqual(['B.md', 'new', 'new/inner']);
  // What another program does afterwards is reported; by then our own events have come.
  const seen = diskChanges(({ changed }) => changed.has('other.md'));
  await put('other.md');
  await seen;
  expect(reported.flatMap(({ changed, removed }) => [...changed, ...removed])).toEqual(['other.md']);
});

test('changes by other programs are seen, also files in folders that appear with them', async () => {
  await put('A.md', 'a');
  await vault.open(root);
  const wanted = Array.from({ length: 40 }, (_, index) => `d${index}/e/f/n.md`);
  const seen = diskChanges(
    ({ changed, removed }) => wanted.every((path) => changed.has(path)) && removed.has('A.md'),
  );
  await Promise.all(wanted.map((path) => put(path)));
  await rm(join(root, 'A.md'));
  await seen;
  const later = diskChanges(({ changed }) => changed.has('d7/e/f/later.md'));
  await put('d7/e/f/later.md');
  await later;
  const gone = diskChanges(({ removed }) => removed.has('d3/e/f/n.md') && removed.has('d3'));
  await rm(join(root, 'd3'), { recursive: true });
  await gone;
  expect(paths()).not.toContain('d3');
});

test('a folder that is replaced by another of the same name is still watched', async () => {
  await put('d/A.md');
  await vault.open(root);
  const replaced = diskChanges(({ changed }) => changed.has('d/B.md'));
  await rm(join(root, 'd'), { recursive: true });
  await put('d/B.md');
  await replaced;
  const later = diskChanges(({ changed }) => changed.has('d/C.md'));
  await put('d/C.md');
  await later;
  expect(paths()).toEqual(['d', 'd/B.md', 'd/C.md']);
});

test('the settings folder is watched but not shown', async () => {
  await put('.interlinear/agents/x.md');
  await vault.open(root);
  const seen = diskChanges(({ changed }) => changed.has('.interlinear/agents/y.md'));
  await put('.interlinear/agents/y.md');
  await seen;
  expect(paths()).toEqual([]);
});

test('reading a setting, or touching it without a change, is not told as a change of it', async () => {
  await put('.interlinear/agents/x.md');
  await vault.open(root);
  const told: string[] = [];
  vault.onDiskChange(({ changed }) => told.push(...changed));
  for (let turn = 0; turn < 3; turn++) {
    await vault.read('.interlinear/agents/x.md');
    const heard = diskChanges(({ changed }) => changed.has(`${turn}.md`));
    await chmod(join(root, '.interlinear/agents/x.md'), turn % 2 ? 0o600 : 0o644);
    await put(`${turn}.md`);
    await heard;
  }
  expect(told.filter((path) => path.endsWith('x.md')).length).toBeLessThan(2);
});

test('followers get everything first, then what changes', async () => {
  await put('A.md');
  await vault.open(root);
  const items: VaultChange[] = [];
  const reading = (async () => {
    for await (const item of vault.followEntries(ending.signal)) {
      items.push(item);
      if (items.length === 1) await vault.create('B.md', '');
      if (items.length === 2) await vault.trash('A.md');
      if (items.length === 3) return;
    }
  })();
  await reading;
  expect(items[0]).toMatchObject({ kind: 'all', entries: [{ path: 'A.md' }] });
  expect(items[1]).toMatchObject({ kind: 'some', changed: [{ path: 'B.md' }], removed: [] });
  expect(items[2]).toMatchObject({ kind: 'some', changed: [], removed: ['A.md'] });
});

test('followers are told what was moved where, by the app and by other programs, a folder with what is in it', async () => {
  for (const path of ['A.md', 'B.md', 'in/C.md', 'in/D.md', 'E.md']) await put(path);
  await vault.open(root);
  const moved: unknown[] = [];
  const reading = (async () => {
    for await (const item of vault.followEntries(ending.signal)) moved.push(...(item.moved ?? []));
  })();
  const told = (length: number) => vi.waitFor(() => expect(moved).toHaveLength(length), { timeout: 4_000 });
  await vault.rename('A.md', 'deep/A2.md');
  await told(1);
  await rename(join(root, 'B.md'), join(root, 'B2.md'));
  await told(2);
  await rename(join(root, 'in'), join(root, 'out'));
  await told(3);
  // Neither a backup nor another note that came as one went.
  await rename(join(root, 'E.md'), join(root, 'E.md~'));
  await rm(join(root, 'B2.md'));
  const seen = diskChanges(({ changed }) => changed.has('F.md'));
  await put('F.md');
  await seen;
  await vault.rename('out', 'on');
  await told(4);
  expect(moved).toEqual([
    { from: 'A.md', to: 'deep/A2.md' },
    { from: 'B.md', to: 'B2.md' },
    { from: 'in', to: 'out' },
    { from: 'out', to: 'on' },
  ]);
  ending.abort();
  await reading;
});

test('a vault that is moved away is lost, nothing is written in its place, and it comes back', async () => {
  await put('A.md', 'a');
  await vault.open(root);
  const lost = stateOf('lost');
  await rename(root, join(folder, 'elsewhere'));
  await lost;
  await expect(vault.create('B.md', '')).rejects.toMatchObject({ code: 'vault.lost' });
  expect(await readdir(folder)).toEqual(['elsewhere']);
  const back = stateOf('open');
  await put('../elsewhere/C.md');
  await rename(join(folder, 'elsewhere'), root);
  await back;
  expect(paths()).toEqual(['A.md', 'C.md']);
  const seen = diskChanges(({ changed }) => changed.has('D.md'));
  await put('D.md');
  await seen;
});

test('a sweep finds what no event told', async () => {
  await put('A.md');
  const blind = createVault({
    log: createLog(() => undefined),
    clock: { now: () => 0, after: () => () => undefined },
    trust: { isTrusted: () => true },
    moveToTrash: () => Promise.resolve(),
  });
  await blind.open(root);
  await put('B.md');
  const told: DiskChange[] = [];
  blind.onDiskChange((change) => told.push(change));
  await blind.sweep();
  expect(told).toEqual([{ changed: ['B.md'], added: ['B.md'], removed: [] }]);
  await blind.close();
});

test.skipIf(process.platform === 'win32')(
  'pipes and devices in a vault keep nobody from reading other notes',
  async () => {
    await put('A.md', 'text');
    await put('.interlinear/agents/B.md', 'brief');
    execFileSync(
      'mkfifo',
      ['agents/P.md', 'hooks.json'].map((name) => join(root, '.interlinear', name)),
    );
    execFileSync(
      'mkfifo',
      [1, 2, 3, 4, 5, 6].map((number) => join(root, `Pipe ${number}.md`)),
    );
    await symlink('/dev/zero', join(root, 'Endless.md'));
    await vault.open(root);
    expect(paths()).toEqual(['A.md']);
    const asked = ['.interlinear/agents/P.md', '.interlinear/hooks.json', 'Endless.md'].concat(
      [1, 2, 3, 4, 5, 6].map((number) => `Pipe ${number}.md`),
    );
    const refused = await Promise.all(asked.map((path) => vault.read(path).catch((error) => error.code)));
    expect(new Set(refused)).toEqual(new Set(['vault.not-found', 'vault.outside']));
    expect((await vault.read('A.md')).text).toBe('text');
  },
);

test('saving keeps the hard links of a note in the vault, and tells how many are elsewhere', async () => {
  await put('A.md', 'one');
  await put('sub/Other.md', 'other');
  await link(join(root, 'A.md'), join(root, 'sub', 'B.md'));
  await link(join(root, 'A.md'), join(folder, 'Outside.md'));
  await symlink('A.md', join(root, 'Alias.md'));
  await vault.open(root);
  const told: unknown[] = [];
  vault.onOwnChange((change) => told.push(change));
  const { version } = await vault.write('A.md', 'two', hash('one'));
  expect(told).toMatchObject([
    { kind: 'written', path: 'A.md', linksElsewhere: 1 },
    { kind: 'linked', path: 'sub/B.md', version },
  ]);
  expect((await vault.read('sub/B.md')).text).toBe('two');
  expect(await readFile(join(folder, 'Outside.md'), 'utf8')).toBe('one');
  expect((await lstat(join(root, 'Alias.md'))).isSymbolicLink()).toBe(true);
  await vault.write('A.md', 'three', version);
  expect(told[2]).toMatchObject({ path: 'A.md', linksElsewhere: 0 });
  expect((await vault.read('sub/B.md')).text).toBe('three');
  expect((await vault.read('sub/Other.md')).text).toBe('other');
});

test('a note that may be written, or may not any more, is told of', async () => {
  await put('A.md', 'one');
  await vault.open(root);
  for (const mode of [0o444, 0o644]) {
    const seen = diskChanges(({ changed }) => changed.has('A.md'));
    await chmod(join(root, 'A.md'), mode);
    await seen;
    expect(await vault.mayWrite('A.md')).toBe(mode === 0o644);
  }
});

test.skipIf(process.platform === 'win32')(
  'any name that the system takes can be read, made, renamed and linked to',
  async () => {
    const names = ['a:b', 'a\\b', 'CON', 'Etc.', ' led', 'Trailing ', '😀', 'cafe\u0301', 'é'.repeat(126)];
    for (const name of names) await put(`${name}.md`, name);
    await put('CON/nul. /x.md', '');
    await vault.open(root);
    for (const name of names) {
      expect((await vault.read(`${name}.md`)).text).toBe(name);
      await vault.write(`${name}.md`, 'new', hash(name));
      expect(vault.findLinked(name, 'Z.md')).toBe(`${name}.md`);
      await vault.rename(`${name}.md`, `CON/${name}.md`);
      expect(await vault.create(`${name}.md`, '')).toEqual({ path: `${name}.md` });
    }
    expect(paths()).toContain('CON/nul. /x.md');
    await expect(vault.create('../x.md', '')).rejects.toMatchObject({ code: 'vault.outside' });
  },
);

test('a note that another program moves to and fro is never one that may not be written', async () => {
  await put('A.md', 'text');
  await vault.open(root);
  const said = new Set<unknown>();
  let isMoving = true;
  const moving = (async () => {
    while (isMoving) {
      await rename(join(root, 'A.md'), join(root, 'B.md'));
      await rename(join(root, 'B.md'), join(root, 'A.md'));
    }
  })();
  for (let time = 0; time < 1_500; time++)
    said.add(await vault.mayWrite('A.md').catch(({ code }: { code: string }) => code));
  isMoving = false;
  await moving;
  expect([...said].filter((one) => one !== 'vault.not-found')).toEqual([true]);
});

test('a vault below the home folder is opened as people type it', async () => {
  vi.stubEnv('HOME', folder);
  vi.stubEnv('USERPROFILE', folder);
  try {
    expect(await vault.check('~/My notes')).toBe(root);
    await vault.open('~/My notes');
    expect(vault.root()).toBe(root);
  } finally {
    vi.unstubAllEnvs();
  }
});
