import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createVaultServer } from './index';

let vault: string;
let client: Client;
let reported: unknown[];
let now = new Date('2027-01-15T12:00:00.000Z');
const closing: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  vault = await mkdtemp(join(tmpdir(), 'vault-'));
  reported = [];
  now = new Date('2027-01-15T12:00:00.000Z');
  const server = await createVaultServer({
    root: vault,
    version: '1',
    report: (error) => reported.push(error),
    now: () => now,
  }).listen({ host: '127.0.0.1', port: 0 });
  client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
  closing.push(server.close, () => client.close());
});

afterEach(async () => {
  expect(reported).toEqual([]);
  for (const close of closing.splice(0).reverse()) await close();
  await rm(vault, { recursive: true, force: true });
});

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(vault, path)), { recursive: true });
  await writeFile(join(vault, path), text);
}

// biome-ignore lint/suspicious/noExplicitAny: answers of a protocol, looked at by the tests
type Answer = any;

async function call(name: string, args: Record<string, unknown> = {}): Promise<Answer> {
  const result = await client.callTool({ name, arguments: args });
  return JSON.parse((result.content as { text: string }[])[0]!.text) as Answer;
}

async function make(
  type: string,
  data: Record<string, unknown>,
  options?: Record<string, unknown>,
): Promise<string> {
  const answer = await call('create_entity', { type, data, ...(options ? { options } : {}) });
  if (!answer.entity) throw new Error(JSON.stringify(answer));
  return answer.entity.id as string;
}

const update = (
  id: string,
  data: Record<string, unknown>,
  more: Record<string, unknown> = {},
): Promise<Answer> => call('update_entity', { id, data, ...more });
const text = (path: string): Promise<string> => readFile(join(vault, path), 'utf8');
const ids = (answer: Answer): string[] => (answer.results as { id: string }[]).map((each) => each.id);

test('an entity is a note with its fields in front and its description below', async () => {
  const answer = await call('create_entity', {
    type: 'task',
    data: {
      title: 'Sow: beans / peas?',
      workstream: 'garden',
      body: 'Two rows.\n',
      tags: ['spring'],
      estimate_hours: 3,
    },
    fields: ['*'],
  });
  expect(answer.entity).toMatchObject({
    id: 'T-001',
    status: 'not_started',
    priority: 'medium',
    body: 'Two rows.',
    path: 'Projects/tasks/T-001 Sow beans peas.md',
  });
  expect(await text('Projects/tasks/T-001 Sow beans peas.md')).toBe(
    `---
id: T-001
type: task
title: "Sow: beans / peas?"
workstream: garden
status: not_started
priority: medium
estimate_hours: 3
tags:
  - spring
created: 2027-01-15T12:00:00.000Z
updated: 2027-01-15T12:00:00.000Z
---

Two rows.
`,
  );
});

test('the next id is one more than the highest in the vault, wherever that note is and whoever wrote it', async () => {
  await put('Somewhere/My note.md', '---\nid: S-041\ntype: story\ntitle: Old\n---\n');
  await put('Projects/archive/stories/S-044 Gone.md', '---\nid: S-044\ntype: story\narchived: true\n---\n');
  expect(await make('story', { title: 'New' })).toBe('S-045');
  await put('S-046 Broken.md', '---\nid: S-046\ntags: [a\n---\n');
  expect(await make('story', { title: 'Newer' })).toBe('S-047');
  expect(await make('milestone', { title: 'First' })).toBe('M-001');
});

test('a note may be renamed and moved; the entity follows', async () => {
  const id = await make('task', { title: 'One' });
  await mkdir(join(vault, 'Elsewhere'));
  await rename(join(vault, 'Projects/tasks/T-001 One.md'), join(vault, 'Elsewhere/other.md'));
  expect((await call('get_entity', { id, fields: ['path'] })).entity).toEqual({ path: 'Elsewhere/other.md' });
  await update(id, { status: 'completed' });
  expect(await text('Elsewhere/other.md')).toContain('status: completed');
});

test('a note of another program keeps every byte outside the keys that change', async () => {
  const note =
    '\uFEFF---\r\n# mine\r\nid:   T-007   # the seventh\r\ntype: task\r\ntitle: "Seven"\r\nstatus: not_started\nmood: [good,  bad]\r\nlinks:\n  - "[[A]]"\r\n---\r\n\r\nBody\nwith\r\nboth\r\n';
  await put('x.md', note);
  await update('t-7', { status: 'in_progress', mood: null });
  expect(await text('x.md')).toBe(
    note
      .replace('status: not_started\n', 'status: in_progress\n')
      .replace('mood: [good,  bad]\r\n', '')
      .replace('---\r\n\r\nBody', 'updated: 2027-01-15T12:00:00.000Z\r\n---\r\n\r\nBody'),
  );
});

test('fields decide what comes back; an unknown one is an error with the known ones', async () => {
  const id = await make('story', { title: 'A', body: 'Long text', workstream: 'w' });
  expect((await call('get_entity', { id })).entity).toEqual({
    id,
    type: 'story',
    title: 'A',
    status: 'not_started',
    workstream: 'w',
    priority: 'medium',
    updated: now.toISOString(),
  });
  expect((await call('get_entity', { id, fields: ['id', 'parent', 'body'] })).entity).toEqual({
    id,
    parent: null,
    body: 'Long text',
  });
  expect(await call('get_entity', { id, fields: ['nonsense'] })).toMatchObject({
    code: 'validation',
    field: 'fields',
    hint: expect.stringContaining('acceptance_criteria') as string,
  });
  await make('task', { title: 'T', parent: id });
  expect(await call('get_entity', { ids: [id, 'T-001', 'S-9'], fields: ['id', 'children'] })).toEqual({
    entities: [
      { id, children: ['T-001'] },
      { id: 'T-001', children: null },
    ],
    errors: [expect.objectContaining({ code: 'not_found', hint: 'Nearest: S-001' })],
  });
});

test('long texts come in parts that join without a gap, in every answer that can hold them', async () => {
  const body = Array.from({ length: 20_000 }, (_, index) => `word${index}`).join(' ');
  const made = await Promise.all(
    [0, 1, 2].map((index) => make('task', { title: `T${index}`, body, workstream: 'w' })),
  );
  const read = async (args: Record<string, unknown>) => {
    const answers: Answer[] = [await call('get_entity', args)];
    while (answers.at(-1).truncated) {
      answers.push(await call('get_entity', { ...args, cursor: answers.at(-1).cursor }));
    }
    return answers;
  };
  const fields = ['id', 'body'];
  const alone = await read({ id: made[0], fields });
  expect(alone.length).toBeGreaterThan(1);
  expect(alone.map((answer) => answer.entity.body).join('')).toBe(body);
  const together = (await read({ ids: [...made, 'T-099'], fields })).flatMap((answer) => answer.entities);
  for (const id of made) {
    const parts = together.filter((entity) => entity.id === id).map((entity) => entity.body);
    expect(parts.join('')).toBe(body);
  }
  const cut = await call('get_entity', { id: made[0], fields });
  await update(made[0]!, { status: 'blocked' });
  expect(await call('get_entity', { id: made[0], fields, cursor: cut.cursor })).toMatchObject({
    code: 'conflict',
  });
  for (const [tool, args, count] of [
    ['search_entities', { fields }, (answer: Answer) => answer.results.length],
    [
      'get_project_overview',
      { workstream: 'w', fields },
      (answer: Answer) => Object.values(answer.workstream_detail.groups).flat().length,
    ],
  ] as const) {
    const first = await call(tool, args);
    expect([tool, first.truncated, count(first)]).toEqual([tool, true, 1]);
    expect(count(await call(tool, { ...args, cursor: first.cursor }))).toBe(1);
  }
});

test('what is not there or not allowed is said with a code and a field', async () => {
  const story = await make('story', { title: 'S' });
  const task = await make('task', { title: 'T', parent: story });
  expect(await call('get_entity', { id: 'T-9' })).toMatchObject({
    code: 'not_found',
    hint: 'Nearest: T-001',
  });
  expect(await call('get_entity', {})).toMatchObject({ code: 'validation' });
  expect(await update(task, { status: 'done' })).toMatchObject({ code: 'validation', field: 'status' });
  expect(await update(task, { id: 'T-5' })).toMatchObject({ code: 'validation', field: 'id' });
  expect(await update(task, { colour: 'red' })).toMatchObject({ code: 'validation', field: 'colour' });
  expect(await update(task, { title: null })).toMatchObject({ code: 'validation', field: 'title' });
  expect(await update(task, { parent: 'S-9' })).toMatchObject({
    code: 'unresolved_reference',
    field: 'parent',
  });
  expect(await update(task, { depends_on: ['T-9'] })).toMatchObject({
    code: 'unresolved_reference',
    field: 'depends_on',
  });
  expect(await update(story, { parent: task })).toMatchObject({ code: 'validation', field: 'parent' });
  expect(await update(task, { depends_on: [task] })).toMatchObject({ code: 'cycle', field: 'depends_on' });
  const second = await make('task', { title: 'U', depends_on: [task] });
  const third = await make('task', { title: 'V', depends_on: [second] });
  expect(await update(task, { depends_on: [third] })).toMatchObject({
    code: 'cycle',
    message: expect.stringContaining('T-001 → T-003 → T-002 → T-001') as string,
  });
  expect(
    await call('create_entity', { type: 'milestone', data: { title: 'M', target_date: '2027-02-30' } }),
  ).toMatchObject({
    code: 'validation',
    field: 'target_date',
  });
  expect(await call('create_entity', { type: 'task', data: {} })).toMatchObject({
    code: 'validation',
    field: 'title',
  });
});

test('a change is refused when the entity was changed since it was read', async () => {
  const id = await make('task', { title: 'T' });
  const { updated } = (await call('get_entity', { id })).entity;
  const first = await update(id, { status: 'in_progress' }, { expected_updated: updated });
  expect(first.entity.updated > updated).toBe(true);
  expect(await update(id, { status: 'blocked' }, { expected_updated: updated })).toMatchObject({
    code: 'conflict',
    field: 'expected_updated',
  });
  expect((await call('get_entity', { id })).entity.status).toBe('in_progress');
});

test('archiving moves a note and, if wanted, all below it; restoring brings them back', async () => {
  const milestone = await make('milestone', { title: 'M' });
  const story = await make('story', { title: 'S', parent: milestone });
  const task = await make('task', { title: 'T', parent: story });
  const before = await text('Projects/tasks/T-001 T.md');
  expect(await update(milestone, { archived: true, cascade: true })).toMatchObject({
    cascaded: [story, task],
  });
  expect((await readdir(join(vault, 'Projects/archive'))).sort()).toEqual(['milestones', 'stories', 'tasks']);
  expect(await readdir(join(vault, 'Projects/tasks'))).toEqual([]);
  expect(ids(await call('search_entities', { sort: 'id' }))).toEqual([]);
  expect(ids(await call('search_entities', { filters: { archived: true }, sort: 'id' }))).toEqual([
    milestone,
    story,
    task,
  ]);
  await update(milestone, { archived: false, cascade: true });
  expect((await text('Projects/tasks/T-001 T.md')).replace(/^updated.*\n/m, '')).toBe(
    before.replace(/^updated.*\n/m, ''),
  );
});

test('two notes with one id are not changed before a person says which is which', async () => {
  await put('a.md', '---\nid: T-001\ntype: task\ntitle: A\n---\n');
  await put('b.md', '---\nid: T-001\ntype: task\ntitle: B\n---\n');
  expect(await update('T-001', { status: 'completed' })).toMatchObject({
    code: 'conflict',
    hint: expect.stringContaining('b.md') as string,
  });
  expect((await call('analyze_project_state')).duplicate_ids).toEqual([
    { id: 'T-001', paths: ['a.md', 'b.md'] },
  ]);
});

test('search is ranked, takes beginnings of words, ids and a typing error, and reads the body', async () => {
  await make('task', { title: 'Water the seedlings', body: 'every morning' });
  await make('task', { title: 'Buy cans', body: 'for watering the seedlings, seedlings, seedlings' });
  await make('story', { title: 'Ümläut über alles' });
  expect(ids(await call('search_entities', { query: 'seedlings' }))).toEqual(['T-001', 'T-002']);
  expect(ids(await call('search_entities', { query: 'seedl morn' }))).toEqual(['T-001']);
  expect(ids(await call('search_entities', { query: 'seeldings water' }))).toEqual(['T-001', 'T-002']);
  expect(ids(await call('search_entities', { query: 'umlaut' }))).toEqual(['S-001']);
  expect(ids(await call('search_entities', { query: 't-002' }))).toEqual(['T-002']);
  expect(ids(await call('search_entities', { query: 'seedlings', filters: { type: ['story'] } }))).toEqual(
    [],
  );
  await update('T-002', { body: 'nothing' });
  expect(ids(await call('search_entities', { query: 'seedlings' }))).toEqual(['T-001']);
  const page = await call('search_entities', { sort: 'id', limit: 2, fields: ['id'] });
  expect(page).toMatchObject({
    results: [{ id: 'S-001' }, { id: 'T-001' }],
    total_matches: 3,
    truncated: true,
  });
  expect(ids(await call('search_entities', { sort: 'id', limit: 2, cursor: page.cursor }))).toEqual([
    'T-002',
  ]);
});

test('navigation goes up, down, aside and along dependencies', async () => {
  const milestone = await make('milestone', { title: 'M' });
  const story = await make('story', { title: 'S', parent: milestone });
  const one = await make('task', { title: 'A', parent: story });
  const two = await make('task', { title: 'B', parent: story, depends_on: [one] });
  const go = (from_id: string, direction: string, depth = 1): Promise<Answer> =>
    call('search_entities', { from_id, direction, depth });
  expect(await go(two, 'up', 5)).toMatchObject({
    path_description: 'M-001 → S-001 → T-002',
    total_matches: 2,
  });
  expect(ids(await go(milestone, 'down'))).toEqual([story]);
  expect(ids(await go(milestone, 'down', 2))).toEqual([story, one, two]);
  expect(ids(await go(one, 'siblings'))).toEqual([two]);
  expect(ids(await go(two, 'dependencies'))).toEqual([one]);
  expect(ids(await go(one, 'dependents', 3))).toEqual([two]);
  expect(await call('search_entities', { from_id: one })).toMatchObject({
    code: 'validation',
    field: 'direction',
  });
});

test('a batch runs in order, uses client ids as ids, and says which op failed with which', async () => {
  const ops = [
    { client_id: 'm', op: 'create', type: 'milestone', payload: { title: 'M' } },
    { client_id: 's', op: 'create', type: 'story', payload: { title: 'S', parent: 'm', depends_on: ['m'] } },
    { client_id: 'bad', op: 'create', type: 'story', payload: { title: 'X', status: 'nope' } },
    { client_id: 'child', op: 'create', type: 'task', payload: { title: 'Y', parent: 'bad' } },
    { client_id: 'u', op: 'update', id: 's', payload: { status: 'blocked' } },
  ];
  const answer = await call('batch_update', { ops });
  expect(answer).toMatchObject({
    results: [
      { client_id: 'm', status: 'ok', id: 'M-001' },
      { client_id: 's', status: 'ok', id: 'S-001' },
      { client_id: 'bad', status: 'error', error: { code: 'validation', field: 'status' } },
      { client_id: 'child', status: 'error', error: { code: 'unresolved_reference', field: 'parent' } },
      { client_id: 'u', status: 'ok', id: 'S-001' },
    ],
    summary: { total: 5, succeeded: 3, failed: 2 },
  });
  expect((await call('get_entity', { id: 'S-001' })).entity).toMatchObject({
    parent: 'M-001',
    depends_on: ['M-001'],
    status: 'blocked',
  });
  await update('S-001', { status: 'in_progress' });
  const again = await call('batch_update', { ops });
  expect(again).toEqual(answer);
  expect((await call('get_entity', { id: 'S-001' })).entity.status).toBe('in_progress');
  const other = await call('batch_update', { ops: [{ ...ops[0], payload: { title: 'Other' } }] });
  expect(other.results[0].error.code).toBe('client_id_conflict');
  expect((await call('search_entities')).total_matches).toBe(2);
});

test('the record of batches is trimmed, and what is young in it is still done only once', async () => {
  const op = { client_id: 'young', op: 'create', type: 'task', payload: { title: 'A' } };
  await call('batch_update', { ops: [op] });
  const record = '.interlinear/vault-batches.jsonl';
  const old = { client_id: '', hash: 'h'.repeat(24), id: 'T-001', at: '2026-01-01T00:00:00.000Z' };
  const lines = Array.from({ length: 12_000 }, (_, index) =>
    JSON.stringify({ ...old, client_id: `old${index}` }),
  );
  await put(record, `${lines.join('\n')}\n${await text(record)}`);
  const next = { ...op, client_id: 'next', payload: { title: 'B' } };
  const answer = await call('batch_update', { ops: [op, next] });
  expect(answer.results.map((each: { id: string }) => each.id)).toEqual(['T-001', 'T-002']);
  expect((await text(record)).match(/client_id/g)).toHaveLength(2);
  expect((await call('batch_update', { ops: [op, next] })).results).toEqual(answer.results);
});

test('an atomic batch with one bad op changes nothing, takes no id, and can be sent again', async () => {
  const ops = [
    { client_id: 'a', op: 'create', type: 'task', payload: { title: 'A' } },
    { client_id: 'b', op: 'update', id: 'T-009', payload: { status: 'blocked' } },
  ];
  const answer = await call('batch_update', { ops, options: { atomic: true } });
  expect(answer.summary).toEqual({ total: 2, succeeded: 0, failed: 2 });
  expect(answer.results[0].error.message).toContain('“b” failed');
  expect(await call('list_files')).toMatchObject({ total: 0 });
  const fixed = await call('batch_update', {
    ops: [ops[0], { ...ops[1], id: 'a' }],
    options: { atomic: true },
  });
  expect(fixed.results.map((each: { id: string }) => each.id)).toEqual(['T-001', 'T-001']);
});

test('a decision that supersedes another one is linked both ways, and its history tells the chain', async () => {
  const first = await make('decision', {
    title: 'Glass jars',
    workstream: 'w',
    decided_on: '2026-01-01',
    status: 'decided',
  });
  const second = await make('decision', {
    title: 'Paper instead of jars',
    workstream: 'w',
    decided_on: '2026-02-01',
    status: 'decided',
    supersedes: first,
  });
  expect((await call('get_entity', { id: first, fields: ['status', 'superseded_by'] })).entity).toEqual({
    status: 'superseded',
    superseded_by: second,
  });
  const history = await call('manage_documents', {
    action: 'get_decision_history',
    topic: 'jars',
    workstream: 'w',
  });
  expect(history.decisions).toMatchObject([
    { id: second, chain: [first, second] },
    { id: first, chain: [first, second] },
  ]);
  const valid = await call('manage_documents', { action: 'get_decision_history', include_superseded: false });
  expect(valid).toMatchObject({ decisions: [{ id: second }], total: 1 });
});

test('a document gets a new version under its id; the old text stays as a note; freshness follows', async () => {
  const decision = await make('decision', { title: 'Bigger', status: 'decided' });
  const document = await make('document', {
    title: 'Spec',
    version: '1.0',
    body: `First text, see ${decision}.`,
  });
  now = new Date('2027-01-16T12:00:00.000Z');
  await update(decision, { rationale: 'More room' });
  const freshness = () => call('manage_documents', { action: 'check_freshness', document_id: document });
  expect((await freshness()).freshness).toMatchObject({ fresh: false, changed: [{ id: decision }] });
  const answer = await call('manage_documents', {
    action: 'supersede_document',
    document_id: document,
    decision_id: decision,
    new_content: `Second text, see ${decision}.`,
    change_summary: 'Bigger',
  });
  expect(answer).toMatchObject({
    document: { id: 'DOC-001', version: '2.0' },
    previous: { id: 'DOC-002', status: 'superseded', version: '1.0' },
  });
  expect((await call('get_entity', { id: 'DOC-002', fields: ['body', 'superseded_by'] })).entity).toEqual({
    body: `First text, see ${decision}.`,
    superseded_by: 'DOC-001',
  });
  expect((await call('get_entity', { id: decision, fields: ['affects'] })).entity).toEqual({
    affects: ['DOC-001'],
  });
  for (const document_id of ['DOC-001', 'DOC-002']) {
    const { versions } = await call('manage_documents', { action: 'get_document_history', document_id });
    expect(versions).toMatchObject([
      { id: 'DOC-001', version: '2.0', decision_id: decision, change_summary: 'Bigger' },
      { id: 'DOC-002', version: '1.0' },
    ]);
  }
  expect((await freshness()).freshness).toMatchObject({ fresh: true });
  expect(
    await call('manage_documents', { action: 'supersede_document', document_id: document }),
  ).toMatchObject({ code: 'validation', field: 'new_content' });
});

test('the overview counts, judges health, and gives one workstream in groups', async () => {
  const milestone = await make('milestone', { title: 'M', workstream: 'a', target_date: '2027-01-01' });
  await make('task', { title: 'T', parent: milestone, priority: 'high' });
  const first = await make('task', { title: 'U', workstream: 'b', status: 'blocked' });
  await make('task', { title: 'V', workstream: 'b', depends_on: [first] });
  await make('task', { title: 'W', workstream: 'c', status: 'completed' });
  const overview = await call('get_project_overview');
  expect(overview.summary).toMatchObject({
    milestones: { total: 1, not_started: 1 },
    tasks: { total: 4, blocked: 1, completed: 1 },
  });
  expect(overview.workstreams).toMatchObject([
    { name: 'a', health: 'at_risk', milestones: [{ id: milestone }], tasks: { not_started: 1 } },
    { name: 'b', health: 'blocked' },
    { name: 'c', health: 'healthy', tasks: { completed: 1 } },
  ]);
  const detail = await call('get_project_overview', { workstream: 'b', fields: ['id'] });
  expect(detail.workstream_detail).toMatchObject({
    grouped_by: 'status',
    groups: { blocked: [{ id: first }], not_started: [{ id: 'T-003' }] },
  });
  expect(await call('get_project_overview', { workstream: 'x' })).toMatchObject({
    code: 'not_found',
    hint: 'Known ones: a, b, c',
  });
});

test('the analysis names blockers, circles, broken references, what is ready and what to do, the same each time', async () => {
  const decision = await make('decision', { title: 'Which paper' });
  const blocked = await make('task', { title: 'A', status: 'blocked', estimate_hours: 8 });
  const waiting = await make('task', { title: 'B', depends_on: [blocked] });
  const ready = await make('task', { title: 'C', priority: 'critical' });
  await update(decision, { enables: [waiting] });
  await put(
    'x.md',
    '---\nid: T-010\ntype: task\ntitle: X\nstatus: in_progress\ndepends_on: [T-011, T-999]\nupdated: 2026-11-01T00:00:00Z\n---\n',
  );
  await put(
    'y.md',
    '---\nid: T-011\ntype: task\ntitle: Y\ndepends_on: [T-010]\nupdated: 2027-01-01T00:00:00Z\n---\n',
  );
  const answer = await call('analyze_project_state');
  expect(answer).toMatchObject({
    blockers: [{ id: blocked, holds_up: [waiting] }],
    ready: [{ id: ready }],
    critical_path: [{ id: blocked }, { id: waiting }],
    pending_decisions: [{ id: decision, blocks: [waiting] }],
    cycles: [['T-010', 'T-011', 'T-010']],
    broken_references: [{ id: 'T-010', field: 'depends_on', missing: 'T-999' }],
    stale: [{ id: 'T-010', days: 75 }],
  });
  expect(answer.next_steps.map((step: { do: string; id: string }) => `${step.do} ${step.id}`)).toEqual([
    'break the circle T-010',
    'repair the reference T-010',
    `decide ${decision}`,
    `unblock ${blocked}`,
    `start ${ready}`,
    'look after T-010',
  ]);
  expect(await call('analyze_project_state')).toEqual(answer);
});

test('a canvas gets nodes in free places and the edges of the notes, and keeps all that people drew', async () => {
  const drawn = `{
  "nodes": [
    {"id":"note","type":"text","x":0,"y":220,"width":300,"height":140,"text":"mine","zoom":1}
  ],
  "edges": [{"id":"e","fromNode":"note","toNode":"note"}],
  "extra": true
}`;
  await put('Plan.canvas', drawn);
  const on = { add_to_canvas: true, canvas_source: 'Plan.canvas' };
  const milestone = await make('milestone', { title: 'M' }, on);
  const story = await make('story', { title: 'S', parent: milestone }, { add_to_canvas: true });
  const other = await make('story', { title: 'R', parent: milestone, depends_on: [story] }, on);
  const read = async (): Promise<Answer> => JSON.parse(await text('Plan.canvas')) as Answer;
  const edges = async (): Promise<string[]> =>
    (await read()).edges.map((edge: Answer) => `${edge.fromNode}→${edge.toNode}`);
  expect(await edges()).toEqual(['note→note', 'M-001→S-001', 'M-001→S-002', 'S-001→S-002']);
  const { nodes, extra } = await read();
  expect(extra).toBe(true);
  expect(await text('Plan.canvas')).toContain(
    '{"id":"note","type":"text","x":0,"y":220,"width":300,"height":140,"text":"mine","zoom":1}',
  );
  for (const a of nodes) {
    for (const b of nodes) {
      if (a !== b)
        expect(
          a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y,
        ).toBe(true);
    }
  }
  await update(other, { depends_on: [] });
  expect(await edges()).toEqual(['note→note', 'M-001→S-001', 'M-001→S-002']);
  await update(other, { archived: true });
  expect((await read()).nodes.at(-1).file).toBe('Projects/archive/stories/S-002 R.md');
  expect((await call('get_project_overview', { canvas_source: 'Plan.canvas' })).summary.stories.total).toBe(
    1,
  );
  const crowd = [1, 2, 3, 4].map(
    (at) => `{"id":"${at}","type":"text","x":${360 * at},"y":220,"width":300,"height":140}`,
  );
  const middle = `{"id":"m","type":"file","file":"Projects/milestones/M-001 M.md","x":360,"y":0,"width":300,"height":140}`;
  await put('Crowd.canvas', `{"nodes":[${middle},${crowd.join(',')}],"edges":[]}`);
  await make('story', { title: 'Near', parent: milestone }, { ...on, canvas_source: 'Crowd.canvas' });
  expect((JSON.parse(await text('Crowd.canvas')) as Answer).nodes.at(-1)).toMatchObject({ x: 0, y: 220 });
  await put('bad.canvas', '{"nodes": 1}');
  expect(
    await call('create_entity', {
      type: 'task',
      data: { title: 'T' },
      options: { add_to_canvas: true, canvas_source: 'bad.canvas' },
    }),
  ).toMatchObject({ code: 'validation', field: 'canvas_source' });
});

test('a canvas that is damaged or lies outside keeps no note from being changed, and is left alone', async () => {
  const id = await make('task', { title: 'A' }, { add_to_canvas: true, canvas_source: 'Plan.canvas' });
  await put('Plan.canvas', '{"nodes": [');
  expect((await update(id, { status: 'blocked' })).entity).toMatchObject({ status: 'blocked' });
  expect(await text('Plan.canvas')).toBe('{"nodes": [');
  for (const [path, code] of [
    ['../Plan.canvas', 'path_outside_vault'],
    ['.obsidian/x.canvas', 'path_outside_vault'],
    ['Plan.md', 'validation'],
  ] as const) {
    expect([path, await update(id, { canvas_source: path })]).toMatchObject([path, { code }]);
  }
  await put('Hand.md', '---\nid: T-050\ntitle: Hand\ncanvas_source: ../../x.canvas\n---\n');
  expect((await update('T-050', { status: 'blocked' })).entity).toMatchObject({ status: 'blocked' });
});

test('each workspace may have its own folder for entities', async () => {
  await put(
    '.interlinear/workspaces.json',
    '{"entities":"Work","workspaces":[{"name":"Garden","path":"Garden","entities":"Garden/Plan"}]}',
  );
  const story = await make('story', { title: 'S' }, { workspace: 'Garden' });
  await make('task', { title: 'T', parent: story });
  await make('task', { title: 'U' });
  expect((await call('list_files')).files.map((file: { path: string }) => file.path)).toEqual([
    'Garden/Plan/stories/S-001 S.md',
    'Garden/Plan/tasks/T-001 T.md',
    'Work/tasks/T-002 U.md',
  ]);
  expect(
    await call('create_entity', { type: 'task', data: { title: 'T' }, options: { workspace: 'No' } }),
  ).toMatchObject({ code: 'not_found', field: 'workspace' });
});
