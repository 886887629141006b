import { appendFile, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serveVault } from '../vault-server/serve-vault';
import { type Answer, vaultForEach } from '../vault-server/vault-for-each';

const { call, clock, make, put, root, text, update } = vaultForEach();
const path = 'Projects/tasks/T-001 T.md';
/** Without what it says of the fields that came with it. */
const hashIn = (revision: string) => revision.slice(0, 8);
const read = async (id = 'T-001', fields?: string[]): Promise<Answer> =>
  (await call('get_entity', { id, ...(fields && { fields }) })).entity;

test('an edit by hand is another revision, and what an agent would write over it is refused with the difference', async () => {
  await make('task', { title: 'T', body: 'one\ntwo\nthree' });
  const { revision } = await read('T-001', ['body']);
  await put(path, (await text(path)).replace('two', 'two, and what I typed'));
  const byHand = await text(path);
  const refused = await update('T-001', { body: 'one\nTWO\nthree' }, { revision });
  expect(refused).toMatchObject({ code: 'conflict', field: 'revision', revision: expect.any(String) });
  expect(refused.difference).toContain('-two\n+two, and what I typed');
  expect(await text(path)).toBe(byHand);
  expect(hashIn(refused.revision)).toBe(hashIn((await read()).revision));
  await update('T-001', { body: 'one\nTWO\nthree' }, { revision: refused.revision });
  expect((await read('T-001', ['body'])).body).toBe('one\nTWO\nthree');
});

test('edits in other places are kept of both sides: other fields, other lines', async () => {
  await make('task', { title: 'T', body: 'one\ntwo\nthree\nfour' });
  const { revision } = await read('T-001', ['body']);
  await put(path, (await text(path)).replace('one', 'one by hand').replace('medium', 'high'));
  await update('T-001', { body: 'one\ntwo\nthree\nfour by agent', status: 'blocked' }, { revision });
  expect(await read('T-001', ['body', 'priority', 'status'])).toMatchObject({
    body: 'one by hand\ntwo\nthree\nfour by agent',
    priority: 'high',
    status: 'blocked',
  });
  expect(await update('T-001', { priority: 'low' }, { revision })).toMatchObject({
    code: 'conflict',
    difference: 'priority: medium → high (yours: low)',
  });
});

test('what stands there is replaced only by who knows it; what is empty, lists that grow and a status need no revision', async () => {
  await make('task', { title: 'T', tags: ['a'] });
  await update('T-001', { body: 'First', goal: 'First' });
  expect(await update('T-001', { body: 'Second' })).toMatchObject({
    code: 'revision_needed',
    field: 'revision',
  });
  const { revision } = await read();
  for (const data of [{ goal: 'Second' }, { goal: null }, { goal: '' }]) {
    const refused = await update('T-001', data);
    expect(refused).toMatchObject({ code: 'revision_needed', field: 'revision' });
    expect(hashIn(refused.revision)).toBe(hashIn(revision));
    expect(refused.difference).toContain('goal: First now');
    expect(refused.hint).toContain(`"revision": "${refused.revision}"`);
  }
  expect(await update('T-001', { title: 'Another' })).toMatchObject({ code: 'revision_needed' });
  expect(await update('T-001', { tags: [] })).toMatchObject({ code: 'revision_needed' });
  expect(await update('T-001', { tags: ['b', 'a'] })).toHaveProperty('entity');
  expect(await update('T-001', { priority: 'high' })).toMatchObject({
    difference: 'priority: medium (replaced)',
  });
  expect(await text(path)).toMatch(/goal: First[\s\S]*First\n$/);
  expect(await update('T-001', { body: 'Second' }, { revision: '00000000' })).toMatchObject({
    code: 'conflict',
  });
  expect((await read('T-001', ['body'])).body).toBe('First');
});

test('every read of an entity and every write gives its revision', async () => {
  const { entity } = await call('create_entity', { type: 'task', data: { title: 'T' } });
  const at = (printed: string) => ({ revision: expect.stringContaining(hashIn(printed)) });
  const revision = at(entity.revision);
  expect(await read()).toMatchObject(revision);
  expect(await read('T-001', ['title'])).toEqual({ title: 'T', ...revision });
  expect((await call('search_entities', { fields: ['id'] })).results).toEqual([{ id: 'T-001', ...revision }]);
  const batch = await call('batch_update', {
    ops: [
      { client_id: 'x', op: 'update', id: 'T-001', revision: 'ffffffff', payload: { status: 'blocked' } },
    ],
  });
  expect(batch.results[0].error).toMatchObject({ code: 'conflict', ...revision });
  await make('milestone', { title: 'M', workstream: 'W', target_date: '2020-01-01' });
  const milestone = at((await read('M-001')).revision);
  expect((await call('get_project_overview')).workstreams).toContainEqual(
    expect.objectContaining({ name: 'W', milestones: [expect.objectContaining(milestone)] }),
  );
  const { ready, overdue } = await call('analyze_project_state');
  expect([ready[0], overdue[0]]).toMatchObject([revision, milestone]);
  const document_id = await make('document', { title: 'D' });
  await make('decision', { title: 'E', affects: [document_id] });
  const document = { revision: hashIn((await read(document_id)).revision) };
  const ask = (action: string) => call('manage_documents', { action, document_id });
  expect((await ask('get_document_history')).versions).toMatchObject([document]);
  expect((await ask('check_freshness')).freshness).toMatchObject(document);
  const { decisions } = await call('manage_documents', { action: 'get_decision_history' });
  expect(decisions).toMatchObject([{ revision: hashIn((await read('DEC-001')).revision) }]);
});

test('what was edited by hand was changed at the time of its file; a file that is only touched was not', async () => {
  await make('task', { title: 'T', status: 'in_progress' });
  clock.now = new Date('2027-03-01T00:00:00Z');
  expect((await call('analyze_project_state')).stale).toMatchObject([{ id: 'T-001' }]);
  const { updated } = await read();
  const late = new Date('2027-02-28T00:00:00Z');
  await utimes(join(root(), path), late, late);
  expect((await read()).updated).toBe(updated);
  await put(path, `${await text(path)}\nA line by hand.\n`);
  await utimes(join(root(), path), late, late);
  expect((await read()).updated).toBe(late.toISOString());
  expect((await call('analyze_project_state')).stale).toBeUndefined();
});

test('what another program changed and gave an older time was changed when that was seen', async () => {
  await make('task', { title: 'T' });
  const { updated } = await read();
  clock.now = new Date('2027-03-01T00:00:00Z');
  await put(path, `${await text(path)}\nA line from elsewhere.\n`);
  await utimes(join(root(), path), 1_000, 1_000);
  expect((await read()).updated).toBe(clock.now.toISOString());
  expect(updated).not.toBe(clock.now.toISOString());
});

test('a time that is yet to come is taken for now: of a file, in front matter, and as it was recorded before', async () => {
  const id = await make('task', { title: 'T' });
  const document = await make('document', { title: 'D', implemented_by: [id] });
  const freshness = async () =>
    (await call('manage_documents', { action: 'check_freshness', document_id: document })).freshness;
  const later = () => {
    clock.now = new Date(clock.now.getTime() + 60_000);
    return clock.now.toISOString();
  };
  const changeTo = async (of: string, data: object) =>
    update(of, { ...data }, { revision: (await read(of, ['*'])).revision });
  const farOff = new Date('2099-01-01T00:00:00Z');
  const changes = [
    async () => {
      await put(path, `${await text(path)}\nA line by hand.\n`);
      await utimes(join(root(), path), farOff, farOff);
    },
    async () => put(path, (await text(path)).replace(/^updated: .*$/m, `updated: ${farOff.toISOString()}`)),
  ];
  for (const change of changes) {
    const seen = later();
    await change();
    expect((await read()).updated).toBe(seen);
    expect((await freshness()).fresh).toBe(false);
    const changed = later();
    expect((await changeTo(id, { goal: changed })).entity.updated).toBe(changed);
    later();
    await changeTo(document, { body: changed });
    expect((await freshness()).fresh).toBe(true);
  }
  const { revision } = await read();
  await appendFile(
    join(root(), '.interlinear/vault-seen.txt'),
    `${id} ${hashIn(revision)} ${farOff.toISOString()}\n`,
  );
  const other = await serveVault(root(), () => clock.now);
  const { entity } = JSON.parse(await other.ask('get_entity', { id })) as Answer;
  await other.close();
  expect(entity.updated).toBe(clock.now.toISOString());
});

test('what was edited by hand while no server ran is noticed by the next', async () => {
  await make('task', { title: 'T' });
  await make('task', { title: 'U' });
  await put(path, `${await text(path)}\nA line by hand.\n`);
  const late = new Date('2027-02-28T00:00:00Z');
  await utimes(join(root(), path), late, late);
  const other = await serveVault(root(), () => new Date('2027-03-01T00:00:00Z'));
  const { entities } = JSON.parse(await other.ask('get_entity', { ids: ['T-001', 'T-002'] })) as Answer;
  await other.close();
  expect(entities.map((each: Answer) => each.updated)).toEqual([late.toISOString(), clock.now.toISOString()]);
});

test('a number is given once: not again after deletion, nor while its note can’t be read', async () => {
  await make('task', { title: 'T' });
  await make('task', { title: 'U' });
  await rm(join(root(), 'Projects/tasks/T-002 U.md'));
  const other = await serveVault(root());
  const made = JSON.parse(await other.ask('create_entity', { type: 'task', data: { title: 'V' } })) as Answer;
  await other.close();
  expect(made.entity.id).toBe('T-003');
  await put('renamed.md', '---\nid: S-007\ntags: [a\n---\n');
  expect(await make('story', { title: 'A' })).toBe('S-008');
  await put('M-004: with a colon.md', 'x');
  await put('and: another.md', '---\nid: M-006\n---\n');
  expect(await make('milestone', { title: 'A' })).toBe('M-007');
});

test('a note of more than five million bytes is an entity like any other', async () => {
  await put('big.md', `---\nid: DOC-031\ntitle: Big\n---\n${'line of text\n'.repeat(500_000)}`);
  expect(await read('DOC-031')).toMatchObject({ title: 'Big' });
  expect(await update('DOC-031', { status: 'review' })).toHaveProperty('entity');
  expect(await make('document', { title: 'Next' })).toBe('DOC-032');
});

test('who comes with a revision that no process knows any more is told what differs now, and that it is not more', async () => {
  await make('task', { title: 'T', body: 'one\ntwo\nthree', goal: 'Old' });
  const { revision } = await read('T-001', ['body']);
  await put(path, (await text(path)).replace('one', 'one by hand'));
  const later = await serveVault(root());
  const data = { body: 'one\ntwo\nthree by agent', goal: 'New' };
  const refused = JSON.parse(await later.ask('update_entity', { id: 'T-001', data, revision })) as Answer;
  await later.close();
  expect(refused).toMatchObject({
    code: 'conflict',
    hint: expect.stringContaining('not known here any more'),
  });
  expect(refused.difference).toContain('goal: Old now (yours: New)');
  expect(refused.difference).toContain('from what is there now (-) to yours (+)');
  expect(refused.difference).toMatch(/-one by hand\n[\s\S]*\+three by agent/);
});

test('update_doc replaces the text of an entity only for who has read it, and makes no id a second time', async () => {
  await make('task', { title: 'T', body: 'one' });
  const before = await text(path);
  const content = before.replace('one', 'uno');
  const write = (more: object) => call('update_doc', { path, ...more });
  expect(await write({ content })).toMatchObject({ code: 'revision_needed', field: 'expected_hash' });
  const { revision } = await read('T-001', ['*']);
  await put(path, before.replace('one', 'one by hand'));
  expect(await write({ content, expected_hash: revision })).toMatchObject({
    code: 'conflict',
    difference: expect.stringMatching(/-one by hand\n\+uno/),
  });
  const now = await read('T-001', ['*']);
  // It came with values, and not with the front matter as it is written.
  expect(await write({ content, expected_hash: now.revision })).toMatchObject({ code: 'revision_needed' });
  const { docs } = await call('read_docs', { paths: [path] });
  const written = await write({ content, expected_hash: docs[0].hash });
  expect(hashIn(written.revision)).toBe(hashIn((await read()).revision));
  expect(await write({ append: 'two\n' })).toMatchObject({ changed: true, revision: expect.any(String) });
  expect(await call('update_doc', { path: 'Copy.md', content, create: true })).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('T-001 is the id of'),
  });
});

test('update_doc changes no id of an entity and takes none away', async () => {
  const id = await make('task', { title: 'One' });
  const { entity } = await call('get_entity', { id, fields: ['path'] });
  const before = await text(entity.path);
  for (const edit of [
    { old: `id: ${id}`, new: 'id: T-077' },
    { old: `id: ${id}\n`, new: '' },
  ]) {
    expect(await call('update_doc', { path: entity.path, edits: [edit] })).toMatchObject({
      code: 'validation',
      message: expect.stringContaining(id),
    });
  }
  expect(await text(entity.path)).toBe(before);
});

test('a search for a status that is none says which there are', async () => {
  await make('task', { title: 'One' });
  expect(await call('search_entities', { filters: { status: ['doing'] } })).toMatchObject({
    code: 'validation',
    hint: expect.stringContaining('in_progress'),
  });
  expect(await call('search_entities', { filters: { status: ['blocked'] } })).toMatchObject({
    total_matches: 0,
  });
});

test('who read a text that nobody here remembers is told that it was changed, not that it was never read', async () => {
  await make('task', { title: 'T', body: 'one\ntwo' });
  const { revision } = await read('T-001', ['body']);
  await put(path, (await text(path)).replace('two', 'two by hand'));
  // More than is remembered of texts, less than of fields.
  const large = 'word '.repeat(800_000);
  for (const title of ['A', 'B', 'C']) await make('task', { title, body: large });
  expect(await update('T-001', { body: 'mine' }, { revision })).toMatchObject({
    code: 'conflict',
    difference: expect.stringContaining('-two by hand'),
  });
});
