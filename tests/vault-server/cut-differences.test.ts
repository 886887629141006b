import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectVault, type ServedVault } from './serve-vault';
import type { Answer } from './vault-for-each';

let root: string;
let served: ServedVault;
const ask = async (name: string, args: Record<string, unknown>): Promise<Answer> =>
  JSON.parse(await served.ask(name, args));
const path = 'Projects/tasks/T-001 T.md';
const note = () => join(root, path);

const lines = (word: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${word} ${at}, and some words more`).join('\n');
const printed = (goal: string, body: string) =>
  `---\nid: T-001\ntype: task\ntitle: T\ngoal: |\n${goal.replace(/^/gm, '  ')}\n---\n\n${body}\n`;
const byHand = printed(lines('typed', 300), lines('typed', 700));

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'cut-'));
  await mkdir(join(root, 'Projects/tasks'), { recursive: true });
  await writeFile(note(), printed('short', lines('old', 700)));
  served = await connectVault(root);
});

afterEach(async () => {
  await served.close();
  await rm(root, { recursive: true, force: true });
});

const update = (data: object) => (how: Answer) => ask('update_entity', { id: 'T-001', data, ...how });
const batch = (payload: object) => async (how: Answer) => {
  const { results } = await ask('batch_update', {
    ops: [{ client_id: 'a', op: 'update', id: 'T-001', payload, ...how }],
  });
  return results[0].error ?? results[0];
};
const doc =
  (change: object) =>
  ({ revision, ...how }: Answer) =>
    ask('update_doc', { path, ...change, ...how, ...(revision && { expected_hash: revision }) });
const content = { content: printed('mine', 'mine') };

const entity = async (fields: string[]) => (await ask('get_entity', { id: 'T-001', fields })).entity.revision;
const docs = async () => (await ask('read_docs', { paths: [path] })).docs[0].hash;

type Send = (how: Answer) => Promise<Answer>;
const late: readonly [string, Send, () => Promise<string>][] = [
  ['update_entity, body', update({ body: 'mine' }), () => entity(['*'])],
  ['batch_update, body', batch({ body: 'mine' }), () => entity(['*'])],
  ['update_entity, a long field', update({ goal: 'mine' }), () => entity(['*'])],
  ['batch_update, both', batch({ goal: 'mine', body: 'mine' }), () => entity(['*'])],
  ['update_doc, content', doc(content), docs],
  ['update_doc, content, after a title', doc(content), () => entity(['title'])],
  ['update_doc, a section', doc({ section: { heading: 'H', content: 'mine' } }), docs],
  ['update_doc, create', doc({ ...content, create: true }), docs],
];
const unread: readonly [string, Send][] = [
  ['update_entity', update({ body: 'mine' })],
  ['batch_update', batch({ goal: 'mine' })],
  ['update_doc', doc(content)],
];

/** What a refusal says: that it is cut and by how much, to read all of it first, and what is replaced unread. */
async function keepsUnread(send: Send, refused: Answer): Promise<void> {
  const { hint, difference } = refused;
  const [, hidden = ''] = /The difference is cut: (\d+) characters of it are not shown\./.exec(hint) ?? [];
  expect(Number(hidden)).toBeGreaterThan(5_000);
  const [, tool = '', args = '{}'] = /Read all of it: (get_entity|read_docs) (\{[^}]*\})/.exec(hint) ?? [];
  expect(hint).toMatch(/Read all of it.*; or, to replace unread what the difference does not show, repeat/);
  // What would be lost comes before what is gone already.
  expect(difference).toMatch(/typed 0, and/);
  expect(difference).not.toMatch(/old \d/);
  expect(difference).toMatch(/… \(\d+ characters more\)/);
  if (refused.revision)
    expect((await send({ revision: refused.revision })).code).toMatch(/^(revision_needed|conflict)$/);
  const read = await ask(tool, JSON.parse(args));
  const revision = read.entity?.revision ?? read.docs[0].hash;
  expect(await send({ revision, ...(hint.includes('no create') && { create: false }) })).not.toHaveProperty(
    'code',
  );
}

test.each(late)(
  'the refusal of a late change tells what its difference leaves out: %s',
  async (_, send, read) => {
    const typed = byHand.replace('\n---\n\n', '\n---\n\n# H\n\n');
    await writeFile(note(), printed('short', `# H\n\n${lines('old', 700)}`));
    const revision = await read();
    await writeFile(note(), typed);
    const refused = await send({ revision });
    expect(refused.code).toBe('conflict');
    if (!refused.hint.includes('no create')) return keepsUnread(send, refused);
    expect(refused.hint).toMatch(/The difference is cut: \d+ characters/);
    expect(await readFile(note(), 'utf8')).toBe(typed);
  },
);

test.each(unread)('so does the refusal of a change to what was not read: %s', async (_, send) => {
  await writeFile(note(), byHand);
  const refused = await send({});
  expect(refused.code).toBe('revision_needed');
  await keepsUnread(send, refused);
});

test('a long text that replaces a short one is no reason to cut what it replaces', async () => {
  await writeFile(note(), printed('short', 'typed 0, and no more'));
  const refused = await update({ body: lines('mine', 700) })({});
  expect(refused.difference).toContain('-typed 0, and no more');
  expect(refused.hint).not.toContain('cut');
  expect(await update({ body: lines('mine', 700) })({ revision: refused.revision })).toHaveProperty('entity');
});

test.each([
  ['a status that is none', { edits: [{ old: 'status: blocked', new: 'status: nope' }] }, 'validation'],
  ['no id any more', { content: 'mine' }, 'validation'],
])('what is refused in any case is refused before what was not read: %s', async (_, change, code) => {
  await writeFile(note(), '---\nid: T-001\ntype: task\ntitle: T\nstatus: blocked\n---\n\nold\n');
  const revision = await docs();
  await writeFile(note(), (await readFile(note(), 'utf8')).replace('old', 'typed'));
  expect(await doc(change)({ revision })).toMatchObject({ code });
  expect(await doc(change)({})).toMatchObject({ code });
});

test('a change that can’t be made to what is there now is not to be repeated', async () => {
  const revision = await docs();
  await writeFile(note(), printed('short', 'typed'));
  const { code, hint } = await doc({ edits: [{ old: 'old 1,', new: 'mine' }] })({ revision });
  expect(code).toBe('conflict');
  expect(hint).not.toContain('repeat');
  expect(hint).toContain('the old text does not occur');
});
