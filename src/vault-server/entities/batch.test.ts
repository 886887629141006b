import { expect, test } from 'vitest';
import { vaultForEach } from '../../../tests/vault-server/vault-for-each';

const { call, put, text, update } = vaultForEach();

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
