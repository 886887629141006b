import { expect, test } from 'vitest';
import { vaultForEach } from '../vault-server/vault-for-each';

const { call, clock, make, put, update } = vaultForEach();

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
    revision: expect.any(String),
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
  clock.now = new Date('2027-01-16T12:00:00.000Z');
  await update(decision, { rationale: 'More room' });
  const freshness = () => call('manage_documents', { action: 'check_freshness', document_id: document });
  expect((await freshness()).freshness).toMatchObject({ fresh: false, changed: [{ id: decision }] });
  const request = {
    action: 'supersede_document',
    document_id: document,
    decision_id: decision,
    new_content: `Second text, see ${decision}.`,
    change_summary: 'Bigger',
  };
  expect(await call('manage_documents', request)).toMatchObject({
    code: 'revision_needed',
    field: 'revision',
  });
  const { revision } = (await call('get_entity', { id: document })).entity;
  const answer = await call('manage_documents', { ...request, revision });
  expect(answer).toMatchObject({
    document: { id: 'DOC-001', version: '2.0' },
    previous: { id: 'DOC-002', status: 'superseded', version: '1.0' },
  });
  expect((await call('get_entity', { id: 'DOC-002', fields: ['body', 'superseded_by'] })).entity).toEqual({
    body: `First text, see ${decision}.`,
    superseded_by: 'DOC-001',
    revision: expect.any(String),
  });
  expect((await call('get_entity', { id: decision, fields: ['affects'] })).entity).toEqual({
    affects: ['DOC-001'],
    revision: expect.any(String),
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
    hint: 'Nearest: a, b, c',
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
