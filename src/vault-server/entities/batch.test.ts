import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serveVault } from '../../../tests/vault-server/serve-vault';
import { vaultForEach } from '../../../tests/vault-server/vault-for-each';

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
  expect(again.results[1]).toMatchObject({ status: 'error', error: { code: 'not_found' } });
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
