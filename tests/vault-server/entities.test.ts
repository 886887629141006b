import { mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Answer, vaultForEach } from './vault-for-each';

const { call, clock, make, put, root, text, update } = vaultForEach();
const revision = expect.stringMatching(/^[0-9a-f]{8}(\*|\.\w+)?$/) as string;
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
  await mkdir(join(root(), 'Elsewhere'));
  await rename(join(root(), 'Projects/tasks/T-001 One.md'), join(root(), 'Elsewhere/other.md'));
  expect((await call('get_entity', { id, fields: ['path'] })).entity).toMatchObject({
    path: 'Elsewhere/other.md',
  });
  await update(id, { status: 'completed' });
  expect(await text('Elsewhere/other.md')).toContain('status: completed');
});

test('a note of another program keeps every byte outside the keys that change', async () => {
  const note =
    '\uFEFF---\r\n# mine\r\nid:   T-007   # the seventh\r\ntype: task\r\ntitle: "Seven"\r\nstatus: not_started\nmood: [good,  bad]\r\nlinks:\n  - "[[A]]"\r\n---\r\n\r\nBody\nwith\r\nboth\r\n';
  await put('x.md', note);
  const { entity } = await call('get_entity', { id: 't-7', fields: ['status', 'mood'] });
  await update('t-7', { status: 'in_progress', mood: null }, { revision: entity.revision });
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
    updated: clock.now.toISOString(),
    revision,
  });
  expect((await call('get_entity', { id, fields: ['id', 'parent', 'body'] })).entity).toEqual({
    id,
    parent: null,
    body: 'Long text',
    revision,
  });
  expect(await call('get_entity', { id, fields: ['nonsense'] })).toMatchObject({
    code: 'validation',
    field: 'fields',
    hint: expect.stringContaining('acceptance_criteria') as string,
  });
  await make('task', { title: 'T', parent: id });
  expect(await call('get_entity', { ids: [id, 'T-001', 'S-9'], fields: ['id', 'children'] })).toEqual({
    entities: [
      { id, children: ['T-001'], revision },
      { id: 'T-001', children: null, revision },
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
  const { updated, revision: read } = (await call('get_entity', { id })).entity;
  const first = await update(id, { status: 'in_progress' }, { revision: read });
  expect(first.entity.updated > updated).toBe(true);
  expect(await update(id, { status: 'blocked' }, { revision: read })).toMatchObject({
    code: 'conflict',
    field: 'revision',
    revision: expect.stringContaining(first.entity.revision.slice(0, 8)),
    difference: 'status: not_started → in_progress (yours: blocked)',
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
  expect((await readdir(join(root(), 'Projects/archive'))).sort()).toEqual([
    'milestones',
    'stories',
    'tasks',
  ]);
  expect(await readdir(join(root(), 'Projects/tasks'))).toEqual([]);
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
    message: expect.stringMatching(/a\.md.*b\.md/) as string,
  });
  expect((await call('analyze_project_state')).duplicate_ids).toEqual([
    { id: 'T-001', paths: ['a.md', 'b.md'] },
  ]);
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
