import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serveVault } from '../vault-server/serve-vault';
import { vaultForEach } from '../vault-server/vault-for-each';

const { call, put, root, text, update } = vaultForEach();

test('a batch runs in order, uses client ids as ids, and says which op failed with which', async () => {
  const ops = [
    { client_id: 'm', op: 'create', type: 'milestone', payload: { title: 'M' } },
    { client_id: 'n', op: 'create', type: 'milestone', payload: { title: 'N' } },
    { client_id: 's', op: 'create', type: 'story', payload: { title: 'S', parent: 'm', depends_on: ['n'] } },
    { client_id: 'bad', op: 'create', type: 'story', payload: { title: 'X', status: 'nope' } },
    { client_id: 'child', op: 'create', type: 'task', payload: { title: 'Y', parent: 'bad' } },
    { client_id: 'u', op: 'update', id: 's', payload: { status: 'blocked' } },
  ];
  const answer = await call('batch_update', { ops });
  expect(answer).toMatchObject({
    results: [
      { client_id: 'm', status: 'ok', id: 'M-001' },
      { client_id: 'n', status: 'ok', id: 'M-002' },
      { client_id: 's', status: 'ok', id: 'S-001' },
      { client_id: 'bad', status: 'error', error: { code: 'validation', field: 'status' } },
      { client_id: 'child', status: 'error', error: { code: 'unresolved_reference', field: 'parent' } },
      { client_id: 'u', status: 'ok', id: 'S-001' },
    ],
    summary: { total: 6, succeeded: 4, failed: 2 },
  });
  expect((await call('get_entity', { id: 'S-001' })).entity).toMatchObject({
    parent: 'M-001',
    depends_on: ['M-002'],
    status: 'blocked',
  });
  await update('S-001', { status: 'in_progress' });
  const again = await call('batch_update', { ops });
  expect(again).toMatchObject({
    results: [
      { client_id: 'm', status: 'ok', id: 'M-001', replayed: true },
      { client_id: 'n', status: 'ok', id: 'M-002', replayed: true },
      { client_id: 's', status: 'ok', id: 'S-001', replayed: true },
      { client_id: 'bad', status: 'error' },
      { client_id: 'child', status: 'error' },
      { client_id: 'u', status: 'ok', id: 'S-001', replayed: true, changed_since: ['status'] },
    ],
    summary: answer.summary,
  });
  expect(again.results[0]).not.toHaveProperty('changed_since');
  expect((await call('get_entity', { id: 'S-001' })).entity.status).toBe('in_progress');
  const other = await call('batch_update', { ops: [{ ...ops[0], payload: { title: 'Other' } }] });
  expect(other.results[0].error.code).toBe('client_id_conflict');
  expect((await call('search_entities')).total_matches).toBe(3);
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
  const again = await call('batch_update', { ops: [op, next] });
  expect(again.results).toMatchObject([
    { id: 'T-001', replayed: true },
    { id: 'T-002', replayed: true },
  ]);
});

test('what was done before is told as it stands once an atomic batch was undone, and nothing undone is told as done', async () => {
  const create = (client_id: string, title: string) => ({
    ...{ client_id, op: 'create', type: 'task', payload: { title } },
  });
  const close = { client_id: 'close', op: 'update', id: 'T-001', payload: { status: 'completed' } };
  const options = { batch_key: 'plan', atomic: true };
  await call('batch_update', { ops: [create('t', 'First'), close], options });
  await update('T-001', { status: 'in_progress' });
  const { revision } = (await call('get_entity', { id: 'T-001' })).entity;
  const bad = { client_id: 'bad', op: 'update', id: 'T-999', payload: { status: 'blocked' } };
  const ops = [{ ...close, client_id: 'anew' }, close, create('d', 'D'), create('d', 'D'), bad];
  const { results } = await call('batch_update', { ops, options });
  const undone = { status: 'error', error: { code: 'conflict' } };
  expect(results).toMatchObject([
    { client_id: 'anew', ...undone },
    {
      client_id: 'close',
      status: 'ok',
      replayed: true,
      changed_since: ['status'],
      revision: revision.slice(0, 8),
    },
    { client_id: 'd', ...undone },
    { client_id: 'd', ...undone },
    { client_id: 'bad', status: 'error', error: { code: 'not_found' } },
  ]);
  expect((await call('get_entity', { id: 'T-001' })).entity).toMatchObject({
    status: 'in_progress',
    revision,
  });
  const again = await call('batch_update', { ops: [create('d', 'D')], options });
  expect(again.results).toMatchObject([{ client_id: 'd', status: 'ok', id: 'T-002' }]);
  expect(again.results[0].replayed).toBeUndefined();
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

test('a batch sent again says what it did before and what has become of it', async () => {
  const ops = [
    { client_id: 't-1', op: 'create', type: 'task', payload: { title: 'A' } },
    { client_id: 't-2', op: 'create', type: 'task', payload: { title: 'B', depends_on: ['t-1'] } },
    { client_id: 'T-001', op: 'update', id: 'T-001', payload: { status: 'blocked' } },
  ];
  const first = await call('batch_update', { ops });
  expect(first.summary).toEqual({ total: 3, succeeded: 3, failed: 0 });
  expect((await call('get_entity', { id: 'T-002' })).entity.depends_on).toEqual(['T-001']);
  await update('T-001', { status: 'not_started' });
  await rm(join(root(), 'Projects/tasks/T-002 B.md'));
  const { results } = await call('batch_update', { ops });
  expect(results).toMatchObject([
    { client_id: 't-1', status: 'ok', id: 'T-001', replayed: true },
    { client_id: 't-2', status: 'error', error: { code: 'not_found' } },
    { client_id: 'T-001', status: 'ok', replayed: true, changed_since: ['status'] },
  ]);
  await put('other.md', '---\nid: T-002\ntype: task\ntitle: Another\n---\n');
  const again = await call('batch_update', { ops });
  expect(again.results[1]).toMatchObject({
    status: 'error',
    error: {
      code: 'not_found',
      message: expect.stringContaining('“other.md”'),
      hint: expect.stringContaining('go on with T-002'),
    },
  });
});

test('client ids mean something within one session or batch_key only', async () => {
  const op = (title: string) => ({ client_id: 'a', op: 'create', type: 'task', payload: { title } });
  const send = async (ask: typeof call, title: string, batch_key?: string) =>
    (await ask('batch_update', { ops: [op(title)], options: batch_key ? { batch_key } : {} })).results[0];
  expect(await send(call, 'One')).toMatchObject({ id: 'T-001' });
  expect(await send(call, 'Two')).toMatchObject({ error: { code: 'client_id_conflict' } });
  expect(await send(call, 'Two', 'plan B')).toMatchObject({ id: 'T-002' });
  expect(await send(call, 'Three', 'plan B')).toMatchObject({ error: { code: 'client_id_conflict' } });
  const next = await serveVault(root());
  const later: typeof call = async (name, args) => JSON.parse(await next.ask(name, args));
  expect(await send(later, 'Three')).toMatchObject({ id: 'T-003' });
  expect(await send(later, 'One')).toMatchObject({ error: { code: 'client_id_conflict' } });
  expect(await send(later, 'Two', 'plan B')).toMatchObject({ id: 'T-002', replayed: true });
  await next.close();
});

test('what was written otherwise than it was sent is no change, and a note that cannot be read is not gone', async () => {
  const ops = [
    { client_id: 'a', op: 'create', type: 'task', payload: { title: ' Pay ', tags: [], body: 'x\r\ny' } },
    { client_id: 'b', op: 'update', id: 'a', payload: { tags: [] } },
  ];
  await call('batch_update', { ops });
  const again = await call('batch_update', { ops });
  for (const result of again.results) {
    expect(result).toMatchObject({ status: 'ok', replayed: true });
    expect(result).not.toHaveProperty('changed_since');
  }
  const path = 'Projects/tasks/T-001 Pay.md';
  await put(path, (await text(path)).replace('title: Pay', 'title: [Pay'));
  const [{ error }] = (await call('batch_update', { ops: [ops[0]] })).results;
  expect(error.message).toContain(path);
  expect(error.hint).toContain('check_project');
  expect(error.hint).not.toContain('client_id');
});

test('another batch of the same client ids in the next run of the server is done, all of it', async () => {
  const plan = (title: string) => [
    { client_id: 'story', op: 'create', type: 'story', payload: { title } },
    { client_id: 'task', op: 'create', type: 'task', payload: { title: 'Write tests', parent: 'story' } },
    { client_id: 'other', op: 'create', type: 'task', payload: { title: 'Write docs' } },
    { client_id: 'go', op: 'update', id: 'story', payload: { status: 'in_progress' } },
    { client_id: 'drop', op: 'archive', id: 'task' },
  ];
  const idsOf = (answer: { results: { id: string; replayed?: boolean }[] }) =>
    answer.results.map(({ id, replayed }) => (replayed ? `${id} again` : id));
  const first = await call('batch_update', { ops: plan('Login').slice(0, -1) });
  expect(idsOf(first)).toEqual(['S-001', 'T-001', 'T-002', 'S-001']);
  const next = await serveVault(root());
  const later: typeof call = async (name, args) => JSON.parse(await next.ask(name, args));
  const second = await later('batch_update', { ops: plan('Billing'), options: { atomic: true } });
  expect(idsOf(second)).toEqual(['S-002', 'T-003', 'T-004', 'S-002', 'T-003']);
  const fields = ['parent', 'archived', 'status'];
  expect(await later('get_entity', { ids: ['T-001', 'T-003', 'S-002'], fields })).toMatchObject({
    entities: [
      { parent: 'S-001', archived: null },
      { parent: 'S-002', archived: true },
      { status: 'in_progress' },
    ],
  });
  await next.close();
  const third = await serveVault(root());
  const again = JSON.parse(await third.ask('batch_update', { ops: plan('Billing') }));
  expect(idsOf(again)).toEqual(['S-002', 'T-003', 'T-004', 'S-002', 'T-003'].map((id) => `${id} again`));
  await third.close();
});

test('what refers to an op that was done before means what that made, also where it is gone', async () => {
  const ops = [
    { client_id: 'T-001', op: 'create', type: 'story', payload: { title: 'Story' } },
    { client_id: 'task', op: 'create', type: 'task', payload: { title: 'A', parent: 'T-001' } },
  ];
  const more = { client_id: 'more', op: 'create', type: 'task', payload: { title: 'B', parent: 'T-001' } };
  await call('batch_update', { ops });
  expect((await call('batch_update', { ops })).results).toMatchObject([
    { id: 'S-001', replayed: true },
    { id: 'T-001', replayed: true },
  ]);
  await rm(join(root(), 'Projects/stories/S-001 Story.md'));
  expect((await call('batch_update', { ops: [...ops, more] })).results).toMatchObject([
    { error: { code: 'not_found' } },
    { id: 'T-001', replayed: true },
    { error: { code: 'unresolved_reference', message: expect.stringContaining('S-001') } },
  ]);
});

test('a create that brings an id of its own is refused, and told what stands for the one that it gets', async () => {
  const create = { client_id: 'a', op: 'create', type: 'task', payload: { title: 'A' } };
  for (const op of [
    { ...create, id: 'T-050' },
    { ...create, payload: { title: 'A', id: 'T-050' } },
  ]) {
    const { results } = await call('batch_update', { ops: [op] });
    expect(results).toMatchObject([
      {
        status: 'error',
        error: { code: 'validation', field: 'id', hint: expect.stringContaining('client_id') },
      },
    ]);
  }
});

test('the same op in another place is another op', async () => {
  const send = async (workspace: string) => {
    const served = await serveVault(root());
    const ops = [{ client_id: 'a', op: 'create', type: 'task', payload: { title: 'A' } }];
    const { results } = JSON.parse(await served.ask('batch_update', { ops, options: { workspace } }));
    await served.close();
    return results[0];
  };
  await put('Home/a.md', 'A');
  await put('Work/a.md', 'A');
  expect(await send('Home')).toMatchObject({ id: 'T-001' });
  expect(await send('Work')).toMatchObject({ id: 'T-002' });
  expect(await send('Home')).toMatchObject({ id: 'T-001', replayed: true });
});

test('what went along is named, and what of it came back since', async () => {
  const create = [
    { client_id: 's', op: 'create', type: 'story', payload: { title: 'S' } },
    { client_id: 'a', op: 'create', type: 'task', payload: { title: 'A', parent: 's' } },
    { client_id: 'b', op: 'create', type: 'task', payload: { title: 'B', parent: 's' } },
  ];
  const archive = { client_id: 'archive', op: 'archive', id: 'S-001', payload: { cascade: true } };
  const send = async (op: object) => (await call('batch_update', { ops: [op] })).results[0];
  await call('batch_update', { ops: create });
  const { difference: _, ...done } = await send(archive);
  expect(done).toMatchObject({ status: 'ok', cascaded: ['T-001', 'T-002'] });
  expect(await send(archive)).toEqual({ ...done, replayed: true });
  await update('T-002', { archived: false });
  expect(await send(archive)).toMatchObject({ replayed: true, changed_since: ['T-002.archived'] });
  const back = { ...archive, client_id: 'back', op: 'update', payload: { archived: false, cascade: true } };
  expect(await send(back)).toMatchObject({ status: 'ok', cascaded: ['T-001'] });
  await rm(join(root(), 'Projects/tasks/T-001 A.md'));
  expect(await send(back)).toMatchObject({ replayed: true, changed_since: ['T-001.archived'] });
});

test.each([
  ['called otherwise', (note: string) => note.replace('created:', 'creatd:')],
  ['changed', (note: string) => note.replace(/created: .*/, 'created: 2026-12-24')],
  ['left out', (note: string) => note.replace(/created: .*\n/, '')],
])('an entity is not gone because its time of creation was %s', async (_, changed) => {
  const ops = [{ client_id: 'a', op: 'create', type: 'task', payload: { title: 'A' } }];
  await call('batch_update', { ops });
  const path = 'Projects/tasks/T-001 A.md';
  await put(path, changed(await text(path)));
  await update('T-001', { archived: true });
  expect((await call('batch_update', { ops })).results).toMatchObject([{ id: 'T-001', replayed: true }]);
  await rename(join(root(), 'Projects/archive/tasks/T-001 A.md'), join(root(), 'mine.md'));
  const [{ error }] = (await call('batch_update', { ops })).results;
  expect(error.message).not.toContain('gone');
  expect(error.hint).toContain('go on with T-001');
});

test('an op that says two things is refused, and nothing is changed', async () => {
  const ops = [
    { client_id: 'a', op: 'create', type: 'task', payload: { title: 'A' } },
    { client_id: 'back', op: 'archive', id: 'a', payload: { archived: false } },
    { client_id: 'other', op: 'update', type: 'story', id: 'a', payload: { status: 'blocked' } },
  ];
  expect((await call('batch_update', { ops })).results).toMatchObject([
    { status: 'ok' },
    { error: { code: 'validation', field: 'archived', hint: expect.stringContaining('an update') } },
    { error: { code: 'validation', field: 'type', message: 'T-001 is a task, not a story.' } },
  ]);
  const { entity } = await call('get_entity', { id: 'T-001', fields: ['archived', 'status'] });
  expect(entity).toMatchObject({ archived: null, status: 'not_started' });
});

test('of a part of a batch that is sent again, what it refers to and was left out is named', async () => {
  const options = { batch_key: 'plan' };
  const story = { client_id: 's', op: 'create', type: 'story', payload: { title: 'S' } };
  const task = { client_id: 't', op: 'create', type: 'task', payload: { title: 'T', parent: 's' } };
  await call('batch_update', { ops: [story, task], options });
  const send = async (op: object) => (await call('batch_update', { ops: [op], options })).results[0];
  const { error } = await send(task);
  expect(error).toMatchObject({ code: 'unresolved_reference', field: 'parent' });
  expect(error.hint).toContain('name S-001');
  expect(await send({ ...task, payload: { ...task.payload, parent: 'S-001' } })).toMatchObject({
    id: 'T-001',
    replayed: true,
  });
  expect(await send({ ...task, payload: { title: 'U' } })).toMatchObject({
    error: { code: 'client_id_conflict' },
  });
});

test('what was done before is not called well while two notes have its id', async () => {
  const ops = [{ client_id: 't', op: 'create', type: 'task', payload: { title: 'T' } }];
  const options = { batch_key: 'plan' };
  await call('batch_update', { ops, options });
  await put('Copy.md', await text('Projects/tasks/T-001 T.md'));
  const { results } = await call('batch_update', { ops, options });
  expect(results).toMatchObject([
    { status: 'error', error: { code: 'conflict', message: expect.stringContaining('Copy.md') } },
  ]);
});
