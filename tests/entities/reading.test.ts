import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { printReading, readReading } from '../../src/entities/entity/handed-out/reading';
import { entityTypes, kinds, writableFields } from '../../src/entities/entity/model/model';
import { connectVault, type ServedVault } from '../vault-server/serve-vault';
import type { Answer } from '../vault-server/vault-for-each';

let root: string;
let served: ServedVault;
const ask = async (name: string, args: Record<string, unknown>): Promise<Answer> =>
  JSON.parse(await served.ask(name, args));
const path = 'Projects/T.md';
const text = () => readFile(join(root, path), 'utf8');

const long = Array.from({ length: 4_000 }, (_, at) => `Line ${at} of what nobody has read yet.`).join('\n');
const note = `---\nid: T-001\ntype: task\ntitle: Long\nstatus: in_progress\ngoal: Peas by May\nmood: good\n---\n\n# Plan\n\n${long}\n\n# Rest\n\nfew words\n`;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'reading-'));
  await mkdir(join(root, 'Projects'));
  await writeFile(join(root, path), note);
  served = await connectVault(root);
});

afterEach(async () => {
  await served.close();
  await rm(root, { recursive: true, force: true });
});

/** Another connection, which was handed nothing yet. */
async function again(): Promise<void> {
  await served.close();
  served = await connectVault(root);
}

const partOfBody = async () => (await ask('get_entity', { id: 'T-001', fields: ['*'] })).entity;
const byId = async () => (await ask('search_entities', { fields: ['id'] })).results[0];
const update = (data: object, revision: string) => ask('update_entity', { id: 'T-001', data, revision });
const asOp = async (payload: object, revision: string) => {
  const ops = [{ client_id: 'a', op: 'update', id: 'T-001', payload, revision }];
  const [{ error, ...result }] = (await ask('batch_update', { ops })).results;
  return error ?? result;
};
const asText = async (data: Answer, expected_hash: string) =>
  ask('update_doc', {
    path,
    content: `---\nid: T-001\ntype: task\ntitle: Long\n---\n${data.body}\n`,
    expected_hash,
  });

test.each<[string, () => Promise<Answer>, object, typeof update]>([
  ['a part of a body, update_entity', partOfBody, { body: 'Mine' }, update],
  ['a part of a body, batch_update', partOfBody, { body: 'Mine' }, asOp],
  ['a part of a body, update_doc', partOfBody, { body: 'Mine' }, asText],
  ['an id, body', byId, { body: 'Mine' }, update],
  ['an id, goal', byId, { goal: 'Mine' }, update],
  ['an id, goal taken away', byId, { goal: null }, asOp],
  ['an id, a key of another program', byId, { mood: 'bad' }, update],
  ['an id, the note', byId, { body: 'Mine' }, asText],
])(
  'the revision that came with less replaces nothing unread, whoever passes it: %s',
  async (_, read, data, change) => {
    const { revision } = await read();
    for (const connect of [async () => {}, again]) {
      await connect();
      const refused = await change(data, revision);
      expect(refused).toMatchObject({ code: 'revision_needed' });
      expect(refused.difference).toMatch(/\S/);
      expect(await text()).toBe(note);
    }
  },
);

test('a status and what adds to a list need no more than the revision', async () => {
  const { revision } = await byId();
  expect(await update({ status: 'blocked', tags: ['a'] }, revision)).toMatchObject({
    difference: 'status: in_progress (replaced)',
  });
});

test('the hint leads on: read to the end of the cursors, and the last revision replaces the body', async () => {
  const refused = await update({ body: 'Mine' }, (await partOfBody()).revision);
  const request = JSON.parse(/get_entity (\{.*?\})/.exec(refused.hint)?.[1] ?? '');
  let answer = await ask('get_entity', request);
  while (answer.cursor) {
    expect(await update({ body: 'Mine' }, answer.entity.revision)).toMatchObject({ code: 'revision_needed' });
    answer = await ask('get_entity', { ...request, cursor: answer.cursor });
  }
  await again();
  expect(await update({ body: 'Mine' }, answer.entity.revision)).toHaveProperty('entity');
});

test('who takes the present revision of a refusal has not read what it tells in part; who is told all has', async () => {
  const { revision } = await byId();
  const refused = await update({ body: 'Mine', goal: 'Mine' }, revision);
  expect(await update({ body: 'Mine' }, refused.revision)).toMatchObject({ code: 'revision_needed' });
  expect(await text()).toBe(note);
  const [held = ''] = /(?<="revision": ")[^"]+/.exec(refused.hint) ?? [];
  // It stands for what was refused and nothing else.
  expect(await update({ mood: 'bad' }, held)).toMatchObject({ code: 'revision_needed' });
  expect(await update({ body: 'Mine', goal: 'Mine' }, held)).toHaveProperty('entity');
});

test('what was merged beside a refusal is merged again by who holds to the rest', async () => {
  await writeFile(join(root, path), note.replace(long, 'one\ntwo\nthree\nfour'));
  const { revision, body } = (await ask('get_entity', { id: 'T-001', fields: ['goal', 'body'] })).entity;
  await writeFile(
    join(root, path),
    note.replace(long, 'one by hand\ntwo\nthree\nfour').replace('by May', 'by hand'),
  );
  const data = { body: body.replace('four', 'four by agent'), goal: 'Mine' };
  const refused = await update(data, revision);
  expect(refused).toMatchObject({ code: 'conflict' });
  expect(await update(data, refused.revision)).toHaveProperty('entity');
  expect(await text()).toMatch(/goal: Mine[\s\S]*one by hand\ntwo\nthree\nfour by agent/);
});

test('a hash that came with a part of a text replaces that part and nothing else, whoever passes it', async () => {
  const write = (more: object) => ask('update_doc', { path, ...more });
  const [part] = (await ask('read_docs', { paths: [path] })).docs;
  expect(part.truncated).toBe(true);
  const [rest] = (await ask('read_docs', { paths: [path], headings: ['Rest'] })).docs;
  const [line] = (await ask('read_docs', { paths: [path], max_lines: 1 })).docs;
  const appended = await write({ append: 'more\n' });
  await writeFile(join(root, path), note);
  await again();
  for (const { hash } of [part, line, appended, rest]) {
    const refused = await write({ content: note.slice(0, 60_000), expected_hash: hash });
    expect(refused.code).toMatch(/^(revision_needed|conflict)$/);
  }
  await again();
  const section = { section: { heading: 'Rest', content: 'no words' } };
  expect(await write({ ...section, expected_hash: part.hash })).toMatchObject({ code: 'revision_needed' });
  expect(await text()).toBe(note);
  expect(await write({ ...section, expected_hash: rest.hash })).toMatchObject({ changed: true });
});

test('read to the end of its cursors, a text is known whole; a refusal’s hash holds for what was refused', async () => {
  let answer = await ask('read_docs', { paths: [path] });
  while (answer.cursor) answer = await ask('read_docs', { paths: [path], cursor: answer.cursor });
  await again();
  const content = note.replace('few', 'no');
  const refused = await ask('update_doc', { path, section: { heading: 'Rest', content: 'x' } });
  const [held = ''] = /(?<="expected_hash": ")[^"]+/.exec(refused.hint) ?? [];
  expect(await ask('update_doc', { path, content, expected_hash: held })).toMatchObject({
    code: 'revision_needed',
  });
  await again();
  const [{ hash }] = answer.docs;
  expect(await ask('update_doc', { path, content, expected_hash: hash })).toMatchObject({ changed: true });
});

test('the revision of an entity stands for the text of its body, and for no comment of its front matter', async () => {
  const commented = `---\nid: T-001\ntype: task\n# ask Anna before starting\ntitle: Peas\npriority: medium # because of the frost\ngoal: Peas by May\n---\n\n# Plan\n\nin rows\n\n# Rest\n\nfew words\n`;
  await writeFile(join(root, path), commented);
  const uri = 'entity:///T-001';
  const { contents } = await served.client.readResource({ uri });
  const read = [
    JSON.parse((contents[0] as Answer).text),
    (await ask('get_entity', { id: 'T-001', fields: ['*'] })).entity,
    (await ask('update_entity', { id: 'T-001', data: {}, fields: ['*'] })).entity,
  ];
  const content = commented.replace(/ ?# (ask|because).*/g, '').replace('in rows', 'in pots');
  for (const { revision } of read) {
    expect(revision).toMatch(/\*$/);
    await again();
    const refused = await ask('update_doc', { path, content, expected_hash: revision });
    expect(refused).toMatchObject({ code: 'revision_needed', field: 'expected_hash' });
    expect(refused.difference).toContain('-# ask Anna before starting');
    expect(await text()).toBe(commented);
  }
  const section = { heading: 'Plan', content: 'in pots' };
  const changed = await ask('update_doc', { path, section, expected_hash: read[0].revision });
  expect(changed).toMatchObject({ changed: true });
  // Its fields are what they were when they were handed out.
  await again();
  expect(await update({ goal: 'By June', body: 'Mine' }, changed.revision)).toHaveProperty('entity');
});

test.each([...entityTypes])('what is printed of the fields of a %s is read again', (type) => {
  const names = ['archived', 'body', 'mood', ...writableFields(type).keys()];
  const values = Object.fromEntries(names.filter((name) => name !== 'body').map((name) => [name, 'x']));
  const entity = { id: `${kinds[type].prefix}-001`, revision: '0123abcd', values } as Answer;
  for (const [at] of names.entries()) {
    for (const known of [[names[at]], names.slice(0, at), names.slice(at)]) {
      const { revision, has } = readReading(
        entity.id,
        printReading(entity, (field) => known.includes(field)),
      );
      expect([revision, ...names.filter(has)]).toEqual([
        '0123abcd',
        ...names.filter((name) => known.includes(name)),
      ]);
    }
  }
});
