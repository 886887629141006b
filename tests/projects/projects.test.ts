import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { NoticeFacts } from '../../src/contract/app';
import type { ProjectsState } from '../../src/contract/projects';
import { createLog, createObservable, systemClock } from '../../src/core/foundation';
import { createProjects, type Projects } from '../../src/core/projects';
import type { Vault } from '../../src/core/vault';
import { built } from '../support/built';

const repository = resolve(import.meta.dirname, '../..');
const sample = join(repository, 'resources/sample-vault');
const canvas = 'Projects/Seed library.canvas';
const scope = { workstream: null, workspace: null };

let root: string;
let projects: Projects;
let leaving: AbortController;
let told: NoticeFacts[];

/** All that core/projects asks of the vault. */
function vaultAt(path: string): Vault {
  const state = createObservable({
    kind: 'open',
    path,
    name: 'v',
    trusted: true,
    contributions: [],
    writable: true,
  });
  return { state, root: () => path, onOwnChange: () => () => {} } as unknown as Vault;
}

beforeEach(async () => {
  root = join(await mkdtemp(join(tmpdir(), 'projects-')), 'vault');
  await cp(sample, root, { recursive: true });
  leaving = new AbortController();
  told = [];
  projects = createProjects({
    vault: vaultAt(root),
    clock: { ...systemClock, now: () => Date.parse('2026-11-20T12:00:00Z') },
    log: createLog(() => undefined),
    saveNote: async () => undefined,
    onWordsKept: (kept) => told.push(kept),
  });
});

afterEach(async () => {
  leaving.abort();
  projects.close();
  await rm(join(root, '..'), { recursive: true, force: true });
});

async function next(is: (state: ProjectsState) => boolean): Promise<ProjectsState> {
  for await (const state of projects.state(leaving.signal)) if (is(state)) return state;
  throw new Error('Never so.');
}

const update = async (id: string, data: Record<string, unknown>, revision?: string) =>
  projects.update({ id, data, revision: revision ?? (await projects.entity({ id })).entity.revision });

async function noteOf(id: string): Promise<string> {
  const { entity } = await projects.entity({ id });
  return readFile(join(root, entity.path), 'utf8');
}

test('the overview tells workstreams with their health, milestones with their progress, and what to do next', async () => {
  const overview = await projects.overview(scope);
  const state = await next(({ kind }) => kind === 'ready');
  expect(state).toMatchObject({ entities: 60, canvases: [canvas] });
  expect(overview.workstreams.map(({ name }) => name)).toEqual(
    state.kind === 'ready' ? state.workstreams : [],
  );
  for (const { health, trouble, because } of overview.workstreams) {
    expect(trouble === null).toBe(health === 'healthy');
    expect(because.length > 0).toBe(health !== 'healthy');
  }
  expect(overview.milestones).toHaveLength(4);
  expect(overview.milestones.reduce((sum, { total }) => sum + total, 0)).toBeGreaterThan(30);
  expect(overview.steps.length).toBeGreaterThan(2);
  expect(overview.problems).toEqual([]);
});

test('a status changed by hand in the board is in the file, and only that; a change meanwhile is refused', async () => {
  const before = await noteOf('T-010');
  const { entity } = await projects.entity({ id: 'T-010' });
  const changed = await update('T-010', { status: 'blocked' }, entity.revision);
  expect(changed.entity).toMatchObject({ status: 'blocked', id: 'T-010' });
  const after = await noteOf('T-010');
  const lines = before.split('\n').filter((line, at) => line !== after.split('\n')[at]);
  expect(lines.map((line) => line.split(':')[0])).toEqual(['status', 'updated']);

  await expect(update('T-010', { status: 'completed' }, entity.revision)).rejects.toMatchObject({
    code: 'project.refused',
    details: {
      reason: 'conflict',
      differences: [{ field: 'status', was: entity.status, now: 'blocked', yours: 'completed' }],
    },
  });
  expect(await noteOf('T-010')).toBe(after);
});

test('what would close a circle, name nobody or be no status is refused with a hint, and nothing is written', async () => {
  const { dependencies } = await projects.entity({ id: 'M-003' });
  const before = await noteOf('M-001');
  expect(dependencies.map(({ id }) => id)).toContain('M-001');
  const refused = [
    [{ depends_on: ['M-003'] }, 'cycle'],
    [{ depends_on: ['M-099'] }, 'unresolved_reference'],
    [{ status: 'soon' }, 'validation'],
  ] as const;
  for (const [data, reason] of refused) {
    const error = await update('M-001', data).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'project.refused', details: { reason } });
  }
  await expect(projects.entity({ id: 'T-999' })).rejects.toMatchObject({
    details: { reason: 'not_found', hint: expect.stringContaining('T-035') },
  });
  expect(await noteOf('M-001')).toBe(before);
});

test('the detail shows relations both ways, the chain of a decision, and every field with what it may hold', async () => {
  const made = await projects.create({
    type: 'decision',
    data: { title: 'Boxes of tin', supersedes: 'DEC-001', decided_on: '2026-11-19', decision: 'Tin.' },
    canvas: null,
    workspace: null,
  });
  const old = await projects.entity({ id: 'DEC-001' });
  expect(old.entity.status).toBe('superseded');
  expect(old.history.map(({ id }) => id)).toEqual(['DEC-001', made.id]);
  expect(old.namedBy).toContainEqual({
    field: 'supersedes',
    entity: expect.objectContaining({ id: made.id }),
  });
  const story = await projects.entity({ id: 'S-001' });
  expect(story.parent?.id).toBe('M-001');
  expect(story.children.length).toBeGreaterThan(1);
  expect(story.fields.find(({ name }) => name === 'status')?.options).toContain('blocked');
  expect(story.fields.find(({ name }) => name === 'parent')?.types).toEqual(['milestone']);
  const told = await projects.decisions({ ...scope, topic: 'tin' });
  expect(told[0]).toMatchObject({ id: made.id, chain: ['DEC-001', made.id] });
});

test('a field that holds what it cannot mean shows it as it is, and the rest goes on', async () => {
  const { path } = (await projects.entity({ id: 'T-001' })).entity;
  const text = await readFile(join(root, path), 'utf8');
  await writeFile(
    join(root, path),
    text.replace(/^(assignee:.*\n)?status:/m, 'assignee: { name: Ada, team: 2 }\nstatus:'),
  );
  const id = /^id: *(\S+)/m.exec(text)?.[1] ?? '';
  const field = async (name: string) =>
    (await projects.entity({ id })).fields.find((each) => each.name === name);
  await expect
    .poll(() => field('assignee'), { timeout: 20_000 })
    .toMatchObject({ value: null, unread: '{ name: Ada, team: 2 }' });
  expect(await field('title')).toMatchObject({ unread: null });
});

test('archived is out of sight and comes back; what lies below goes along', async () => {
  const { cascaded } = await update('M-001', { archived: true, cascade: true });
  expect(cascaded.length).toBeGreaterThan(5);
  const left = await projects.list({ ...scope, archived: false });
  expect(left.map(({ id }) => id)).not.toContain('S-001');
  await update('M-001', { archived: false, cascade: true });
  expect(await projects.list({ ...scope, archived: false })).toHaveLength(60);
});

test('moved nodes change their numbers in the file and nothing else, also where the file was changed meanwhile', async () => {
  const file = join(root, canvas);
  const extra =
    '{"id":"words","type":"text","text":"keep  me","x":-400,"y":1,"width":200,"height":60,"my":[1, 2]},';
  const start = (await readFile(file, 'utf8')).replace('"nodes": [', `"nodes": [\n\t\t${extra}`);
  await writeFile(file, start);
  const before = await projects.canvas({ path: canvas });
  expect(before.nodes.find(({ id }) => id === 'words')).toMatchObject({ kind: 'text', text: 'keep  me' });
  expect(before.edges.filter(({ kind }) => kind === 'parent')).toHaveLength(12);

  const places = [
    { id: 'words', x: -500.4, y: 7 },
    { id: 'S-003', x: 1, y: 2, width: 320, height: 150 },
  ];
  const { version } = await projects.moveNodes({ path: canvas, version: before.version, places });
  const now = await readFile(file, 'utf8');
  expect(now).toBe(
    start
      .replace('"x":-400,"y":1', '"x":-500,"y":7')
      .replace('"x":408,"y":424,"width":300,"height":140', '"x":1,"y":2,"width":320,"height":150'),
  );
  expect((await projects.canvas({ path: canvas })).version).toBe(version);
  const theirs = now.replace('keep  me', 'kept by them').replace('"x":1,"y":2', '"x":9,"y":9');
  await writeFile(file, theirs);
  const late = [
    { id: 'S-003', x: 3, y: 4 },
    { id: 'gone', x: 1, y: 1 },
  ];
  const { onto } = await projects.moveNodes({ path: canvas, version: before.version, places: late });
  expect([before.version, version]).not.toContain(onto);
  const kept = theirs.replace('"x":9,"y":9', '"x":3,"y":4');
  expect(await readFile(file, 'utf8')).toBe(kept);
  const undone = { path: canvas, version, places, onlyOnto: true };
  await expect(projects.moveNodes(undone)).rejects.toMatchObject({ code: 'project.refused' });
  expect(await readFile(file, 'utf8')).toBe(kept);
});

test('each broken reference of a note has a step that names it', async () => {
  const text = '---\nid: T-900\ntype: task\ntitle: Lost\nparent: S-404\ndepends_on: [T-405]\n---\n';
  await writeFile(join(root, 'T-900 Lost.md'), text);
  // Reads the vault anew.
  await update('T-010', { status: 'blocked' });
  const { steps } = await projects.overview(scope);
  expect(steps.filter(({ id }) => id === 'T-900').map(({ why }) => why)).toEqual([
    { kind: 'repair', field: 'parent', missing: 'S-404' },
    { kind: 'repair', field: 'depends_on', missing: 'T-405' },
  ]);
});

test('what a field does not hold is shown as it is written in the note', async () => {
  const fields = 'parent: [S-001, M-001]\nassignee: {h: 3}\ngoal:\n  one: 1\n';
  await writeFile(join(root, 'T-900 Odd.md'), `---\nid: T-900\ntype: task\ntitle: Odd\n${fields}---\n`);
  await update('T-010', { status: 'blocked' });
  const found = (await projects.check({})).filter(({ id }) => id === 'T-900');
  expect(found.map(({ field, value }) => [field, value])).toEqual([
    ['parent', '[S-001, M-001]'],
    ['assignee', '{h: 3}'],
    ['goal', '{one: 1}'],
  ]);
  const shown = (await projects.entity({ id: 'T-900' })).fields.filter(({ unread }) => unread !== null);
  expect(shown.map(({ name, unread }) => [name, unread?.trim()])).toEqual([
    ['assignee', '{h: 3}'],
    ['goal', 'one: 1'],
  ]);
});

test('a canvas gets what it lacks once, or is made; one that is damaged is refused and stays', async () => {
  const types = ['milestone', 'story', 'task'] as const;
  const first = await projects.addMissing({ ...scope, path: canvas, types: [...types] });
  expect(first.added).toBe(35);
  expect((await projects.addMissing({ ...scope, path: canvas, types: [...types] })).added).toBe(0);
  const made = await projects.addMissing({ ...scope, path: 'New/All.canvas', types: ['milestone'] });
  expect(made.added).toBe(4);
  expect((await projects.canvas({ path: 'New/All.canvas' })).edges).toHaveLength(3);

  await writeFile(join(root, 'Broken.canvas'), '{"nodes": [{"id": 1}]');
  await expect(projects.canvas({ path: 'Broken.canvas' })).rejects.toMatchObject({
    code: 'project.refused',
    details: { reason: 'validation', hint: expect.any(String) },
  });
  await expect(projects.moveNodes({ path: '../out.canvas', version: '', places: [] })).rejects.toMatchObject({
    code: 'vault.outside',
  });
});

test('words that stood where a person put others are told to them', async () => {
  const path = 'T-900 Hand.md';
  await writeFile(join(root, path), '---\nid: T-900\ntype: task\ntitle: Hand\nassignee: [Ada, Bo]\n---\n');
  await update('T-900', { status: 'blocked' });
  expect(told).toEqual([]);
  await update('T-900', { assignee: 'Cy' });
  expect(told).toMatchObject([{ code: 'words-kept', entity: 'T-900', note: path }]);
  expect(JSON.stringify(told)).toContain('Ada');
  expect(await readFile(join(root, path), 'utf8')).toContain('\nassignee: [Ada, Bo]\n');
});

test('a change by another program is told, and an id in a note is found by then', async () => {
  const before = await next(({ kind }) => kind === 'ready');
  const revision = before.kind === 'ready' ? before.revision : 0;
  await writeFile(join(root, 'T-900 By hand.md'), '---\nid: T-900\ntype: task\ntitle: By hand\n---\n');
  await next((state) => state.kind === 'ready' && state.revision > revision && state.entities === 61);
  const found = await projects.find({ ids: ['T-900', 'T-901', 'T-900'] });
  expect(found).toMatchObject([{ id: 'T-900', title: 'By hand', path: 'T-900 By hand.md' }]);
});

test('a vault that may not be written says so', async () => {
  await mkdir(join(root, '.interlinear/vault-server.lock'), { recursive: true });
  await expect(update('T-001', { status: 'blocked' })).rejects.toMatchObject({
    code: 'project.refused',
    details: { reason: 'read_only' },
  });
});

test('the app and a vault server of its own process create at the same time: no id twice, no change lost', async () => {
  const server = await built('tests/projects/writing-server.ts');
  try {
    const count = 12;
    const child = spawn(process.execPath, [server.file, root, String(count)], { stdio: 'inherit' });
    const own = Array.from({ length: count }, (_, at) =>
      projects.create({
        type: 'task',
        data: { title: `Ours ${at}`, parent: 'S-001' },
        canvas,
        workspace: null,
      }),
    );
    const [made, [code]] = await Promise.all([Promise.all(own), once(child, 'exit')]);
    expect(code).toBe(0);
    expect(new Set(made.map(({ id }) => id)).size).toBe(count);
    const all = await projects.list({ ...scope, archived: false });
    expect(all).toHaveLength(60 + 2 * count);
    const names = (await readdir(join(root, 'Projects/tasks'))).map((name) => name.split(' ')[0]);
    expect(new Set(names).size).toBe(35 + 2 * count);
    const { nodes } = await projects.canvas({ path: canvas });
    expect(nodes.filter(({ entity }) => entity?.title.startsWith('Ours'))).toHaveLength(count);
  } finally {
    await server.remove();
  }
});

test('a thousand entities are told within a moment', async () => {
  await rm(root, { recursive: true });
  await mkdir(root);
  execFileSync(process.execPath, [join(repository, 'scripts/gen-project.mjs'), root, '1000']);
  await next(({ kind }) => kind === 'ready');
  const before = process.cpuUsage();
  const [overview, list] = [
    await projects.overview(scope),
    await projects.list({ ...scope, archived: false }),
  ];
  const { user, system } = process.cpuUsage(before);
  // Of the processor's own time: others may be at work here.
  expect((user + system) / 1_000).toBeLessThan(2_000);
  expect(list).toHaveLength(1_000);
  expect(overview.workstreams).toHaveLength(8);
  const { added } = await projects.addMissing({
    ...scope,
    path: 'All.canvas',
    types: ['milestone', 'story', 'task', 'decision', 'document'],
  });
  expect(added).toBe(1_000);
});

test('a repair in the window is undone, unless somebody has changed the note since', async () => {
  await writeFile(
    join(root, 'T-900.md'),
    '---\nid: T-900\ntype: task\ntitle: By hand\nstatus: In Progress\n---\n\nText.\n',
  );
  await writeFile(join(root, 'T-901 \u0001b.md'), '---\nid: T-901\ntype: task\ntitle: Hidden\n---\n');
  const before = await readFile(join(root, 'T-900.md'), 'utf8');
  const found = await projects.check({});
  expect(found.map(({ code }) => code).sort()).toEqual(['invalid_status', 'unusable_name']);
  const { undo, ...told } = await projects.repair({ keys: found.map(({ key }) => key) });
  expect(told).toEqual({ fixed: 2, failed: [] });
  expect(await projects.check({})).toEqual([]);
  expect((await projects.find({ ids: ['T-901'] }))[0]?.path).toBe('T-901 b.md');
  await projects.undoRepair({ undo: undo ?? '' });
  expect(await readFile(join(root, 'T-900.md'), 'utf8')).toBe(before);
  expect(await projects.check({})).toEqual(found);

  const again = await projects.repair({ keys: [found.find(({ id }) => id === 'T-900')?.key ?? ''] });
  await writeFile(join(root, 'T-900.md'), 'Mine.\n');
  await expect(projects.undoRepair({ undo: again.undo ?? '' })).rejects.toMatchObject({
    details: { reason: 'conflict' },
  });
  expect(await readFile(join(root, 'T-900.md'), 'utf8')).toBe('Mine.\n');
});

test('of a repair of several notes all is taken back that nobody has changed since, and all the others are named', async () => {
  const names = ['T-910.md', 'T-911.md', 'T-912.md'];
  const note = (name: string) => `---\nid: ${name.slice(0, 5)}\ntitle: One\nstatus: In Progress\n---\n`;
  for (const name of names) await writeFile(join(root, name), note(name));
  const found = (await projects.check({})).filter(({ path }) => names.includes(path));
  const { undo } = await projects.repair({ keys: found.map(({ key }) => key) });
  const repaired = await readFile(join(root, 'T-911.md'), 'utf8');
  for (const name of ['T-910.md', 'T-911.md']) await writeFile(join(root, name), 'Mine.\n');
  await expect(projects.undoRepair({ undo: undo ?? '' })).rejects.toMatchObject({
    message: expect.stringMatching(/T-910\.md.*T-911\.md/),
  });
  expect(await readFile(join(root, 'T-912.md'), 'utf8')).toBe(note('T-912.md'));
  expect(await readFile(join(root, 'T-910.md'), 'utf8')).toBe('Mine.\n');
  // What is left is offered again.
  for (const name of ['T-910.md', 'T-911.md'])
    await writeFile(join(root, name), repaired.replace('T-911', name.slice(0, 5)));
  await projects.undoRepair({ undo: undo ?? '' });
  expect(await readFile(join(root, 'T-911.md'), 'utf8')).toBe(note('T-911.md'));
});
