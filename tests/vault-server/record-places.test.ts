import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { type ServedVault, serveVault } from './serve-vault';
import type { Answer } from './vault-for-each';

const records = [
  'vault-ids.txt',
  'vault-seen.txt',
  'vault-batches.jsonl',
  'vault-undone.txt',
  'vault-journal.json',
  'vault-server.lock',
  'vault-repair.lock',
  'workspaces.json',
];

const diary = 'Dear diary, what a day.\nAnd a second line.\n';
const long = 20 * 1024 * 1024;

/** Puts something in the place of a record; what it gives is run when the vault is done with. */
type State = (place: string, outside: string) => Promise<(() => unknown) | undefined>;
const just =
  (work: (place: string, outside: string) => unknown): State =>
  async (place, outside) => {
    await rm(place, { recursive: true, force: true });
    await work(place, outside);
    return undefined;
  };

const states: Readonly<Record<string, State>> = {
  'link to a note': just((place) => symlink('../Diary.md', place)),
  'link out': just((place, outside) => symlink(outside, place)),
  'link to itself': just((place) => symlink(place, place)),
  'dangling link': just((place) => symlink('../Nobody.md', place)),
  'link to a folder': just((place) => symlink('../Projects', place)),
  'hard link to a note': just((place) => link(join(place, '../../Diary.md'), place)),
  pipe: just((place) => execFileSync('mkfifo', [place])),
  socket: async (place) => {
    await rm(place, { force: true });
    const server = createServer().listen(place);
    await once(server, 'listening');
    return () => server.close();
  },
  folder: just((place) => mkdir(place)),
  'folder with contents': just(async (place) => {
    await mkdir(join(place, 'of somebody'), { recursive: true });
    await writeFile(join(place, 'of somebody/words.txt'), 'Words');
  }),
  empty: just((place) => writeFile(place, '')),
  '20 MB in one line': just((place) => writeFile(place, Buffer.alloc(long, 'x'))),
  '20 MB of ids in one line': just((place) => writeFile(place, Buffer.alloc(long, 'T-1'))),
  '20 MB of short paths': just((place) => writeFile(place, Buffer.alloc(long, 'a.md\nb.md\n'))),
  // More than can be one text.
  'a hole of 600 MB': just(async (place) => {
    await writeFile(place, '');
    await truncate(place, 600 * 1024 * 1024);
  }),
  'garbage lines': just((place) => writeFile(place, 'no record\nof anybody\u0000\n{"at": \n'.repeat(200))),
  'read by nobody': async (place) => {
    if (!(await lstat(place).catch(() => null))) await writeFile(place, '');
    await chmod(place, 0);
    return undefined;
  },
  immutable: async (place) => {
    const sound = place.endsWith('workspaces.json') ? '{}' : '';
    if (!(await lstat(place).catch(() => null))) await writeFile(place, sound);
    execFileSync('chattr', ['+i', place], { stdio: 'pipe' });
    return () => execFileSync('chattr', ['-i', place]);
  },
};

const counts = { cases: 0, calls: 0, refusals: 0 };

test.each(records)(
  'whatever stands in the place of %s, nothing else is changed, and each refusal says what to do',
  async (name) => {
    for (const [state, plant] of Object.entries(states)) await tryCase(name, state, plant);
    // biome-ignore lint/suspicious/noConsole: how much was tried depends on the system
    console.info(`${name}: so far ${JSON.stringify(counts)}`);
  },
  300_000,
);

async function tryCase(name: string, state: string, plant: State): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'places-'));
  const root = join(folder, 'vault');
  const outside = join(folder, 'outside.txt');
  await mkdir(join(root, '.interlinear'), { recursive: true });
  await writeFile(join(root, 'Diary.md'), diary);
  await writeFile(outside, diary);
  const before = await serveVault(root);
  await ask(before, 'create_entity', { type: 'task', data: { title: 'Before' } });
  await ask(before, 'batch_update', batch('before'));
  await before.close();
  let undo: (() => unknown) | undefined;
  const place = join(root, '.interlinear', name);
  try {
    undo = await plant(place, outside);
  } catch (error) {
    // biome-ignore lint/suspicious/noConsole: what could not be tried here is said
    console.warn(`${name}, ${state}: not tried. ${String(error)}`);
    await rm(folder, { recursive: true, force: true });
    return;
  }
  counts.cases++;
  const served = await serveVault(root);
  try {
    await tryCalls({ name, state, folder, served, undo });
  } finally {
    await served.close();
    if (await lstat(place).catch(() => null)) await undo?.();
    await rm(folder, { recursive: true, force: true });
  }
}

async function tryCalls({
  name,
  state,
  folder,
  served,
  undo,
}: {
  name: string;
  state: string;
  folder: string;
  served: ServedVault;
  undo: (() => unknown) | undefined;
}): Promise<void> {
  const files = await filesIn(folder, name);
  const run = async (tool: string, args: Record<string, unknown> = {}) => {
    const said = `${name}, ${state}: ${tool}`;
    const start = performance.now();
    const text = await served.ask(tool, args);
    counts.calls++;
    expect(performance.now() - start, said).toBeLessThan(10_000);
    expect(text.length, said).toBeLessThan(100_000);
    expect(text, said).not.toMatch(/ELOOP|ENOENT|EISDIR|ENXIO|EPERM|"internal"/);
    const answer = JSON.parse(text);
    for (const refusal of refusalsIn(answer)) {
      counts.refusals++;
      expect(refusal.message, said).toContain(`.interlinear/${name}`);
      expect(refusal.hint, said).toMatch(/check_project|by hand/);
    }
    const left = await filesIn(folder, name);
    for (const [path, text] of files) expect([said, path, left.get(path)]).toEqual([said, path, text]);
    return answer;
  };
  const create = (title: string) => run('create_entity', { type: 'task', data: { title } });

  expect(await run('list_files')).toHaveProperty('files');
  await create('With it');
  await run('update_entity', { id: 'T-001', data: {} });
  await run('batch_update', batch('with it'));
  const named = await run('check_project');
  if (mayOnlyBeNamed(name, state)) expect(named.findings, `${name}, ${state}`).toHaveLength(1);
  const fixed = await run('check_project', { fix: ['all'] });
  const own = fixed.findings.filter(isOwn);
  if (state === 'immutable') await undo?.();
  else if (own.length > 0) await run('check_project', { fix: own.map(({ key }: Answer) => key) });
  const said = `${name}, ${state}`;
  expect(await create('After it'), said).toHaveProperty('entity');
  expect((await run('batch_update', batch('after it'))).summary, said).toMatchObject({ failed: 0 });
  const { findings } = await run('check_project');
  expect(findings.filter(isOwn), said).toEqual([]);
}

const ask = async (served: ServedVault, tool: string, args: Record<string, unknown>) =>
  JSON.parse(await served.ask(tool, args)) as Answer;

const batch = (client_id: string) => ({
  ops: ['one', 'two'].map((each) => ({
    ...{ client_id: `${client_id} ${each}`, op: 'create', type: 'task' },
    payload: { title: `${client_id} ${each}` },
  })),
});

const isOwn = ({ file }: Answer) => file.startsWith('.interlinear');

const mayOnlyBeNamed = (name: string, state: string) =>
  state.startsWith('link') || (state === 'immutable' && name !== 'workspaces.json');

function refusalsIn(answer: Answer): Answer[] {
  const ofOps = (answer.results ?? []).flatMap(({ error }: Answer) => error ?? []);
  return [...(answer.code ? [answer] : []), ...ofOps, ...(answer.failed ?? [])];
}

/** What may not change: all but the server's own records. */
async function filesIn(folder: string, name: string): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const isOwn = records.some((record) => path.includes(`.interlinear/${record}`));
    if (entry.isFile() && !isOwn) files.set(relative(folder, path), await readFile(path, 'utf8'));
  }
  expect(files.has('vault/Nobody.md'), name).toBe(false);
  return files;
}
