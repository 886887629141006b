import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { repair } from '../../src/entities/checkup';
import { changeTimes, createEntityIndex } from '../../src/entities/entity/index/entity-index';
import { wordsOf } from '../../src/entities/insight/lost-words';
import { createStore, type Store } from '../../src/entities/store/store';
import { createTree } from '../../src/entities/store/tree/tree';
import { type Answer, typeOf, vaultForEach } from '../vault-server/vault-for-each';

const { call, make, put, root, text, update } = vaultForEach();
const check = (more: Record<string, unknown> = {}): Promise<Answer> => call('check_project', more);
const note = (id: string, more = '') =>
  `---\nid: ${id}\ntype: ${typeOf(id)}\ntitle: ${id}\n${more}\n---\n\nText of ${id}.\n`;
const entity = async (id: string, ...fields: string[]) =>
  (await call('get_entity', { id, fields: ['id', 'status', ...fields] })).entity;

test('an id with an absurd number gets one that is counted, and whoever names it follows', async () => {
  await put('T-003 Dig.md', note('T-003'));
  await put('T-950000000 Sow.md', note('T-950000000', 'status: blocked'));
  await put('T-004 Eat.md', note('T-004', 'depends_on:\n  - T-003\n  - "[[T-950000000 Sow]]" # first'));
  const { findings, total } = await check();
  expect([total, findings[0]?.problem]).toEqual([1, expect.stringContaining('too high')]);
  expect(await check({ fix: ['all'] })).toMatchObject({ total: 0, failed: [] });
  expect(await entity('T-005')).toMatchObject({ status: 'blocked' });
  expect(await entity('T-004', 'depends_on')).toMatchObject({ depends_on: ['T-003', 'T-005'] });
  expect(await text('T-005 Sow.md')).toContain('Text of T-950000000.');
});

test('work that waits for itself through its parts is found, and no tool makes it', async () => {
  const [one, two] = [await make('story', { title: 'One' }), await make('story', { title: 'Two' })];
  const first = await make('task', { title: 'First', parent: one, depends_on: [two] });
  const second = await make('task', { title: 'Second', parent: two });
  expect(await update(second, { depends_on: [one] })).toMatchObject({
    code: 'cycle',
    message: expect.stringContaining(`${second} → ${one} → ${first} → ${two} → ${second}`),
  });
  const free = await make('task', { title: 'Free', depends_on: [one] });
  expect(await update(free, { parent: two })).toMatchObject({ code: 'cycle', field: 'parent' });
  expect(
    await call('create_entity', { type: 'task', data: { title: 'X', parent: two, depends_on: [one] } }),
  ).toMatchObject({ code: 'cycle' });
  const choice = await make('decision', { title: 'Which', enables: [first] });
  expect(await update(choice, { depends_on: [one] })).toMatchObject({ code: 'cycle' });

  const path = (await entity(second, 'path')).path;
  const before = await text(path);
  await put(path, before.replace('\n---\n', `\ndepends_on: [${one}]\n---\n`));
  const { findings } = await check();
  expect(findings).toHaveLength(1);
  expect(findings[0].problem).toMatch(/wait for each other/);
  expect(await check({ fix: ['all'] })).toMatchObject({ total: 0, failed: [] });
});

test.each([
  ['an empty note', '', 'T-009 Sow peas.md'],
  ['a note of blanks', '\n \n', 'T-009 Sow peas.md'],
  ['front matter of words', '---\nJust some words: here\nand here\n---\nText of it.\n', 'T-009 Sow peas.md'],
  ['front matter of one word', '---\nDraft\n---\nText of it.\n', 'T-009 Sow peas.md'],
  ['front matter of a list', '---\n- one\n- two\n---\nText of it.\n', 'T-009 Sow peas.md'],
  [
    'TOML',
    '+++\nid = "T-009"\ntype = "task"\ntitle = "Sow peas"\ntags = ["a", "b"]\n# mine\n+++\nText of it.\n',
    'x.md',
  ],
  ['TOML with a table', '+++\nid = "T-009"\ntype = "task"\n[extra]\na = 1\n+++\nText of it.\n', 'x.md'],
])('%s is an entity again after the repair, with every word', async (_, written, name) => {
  const path = `Projects/tasks/${name}`;
  await put(path, written);
  const { findings } = await check();
  expect(findings).toMatchObject([{ file: path, repair: expect.not.stringMatching('by hand') }]);
  expect(await check({ fix: ['all'] })).toMatchObject({ total: 0, failed: [] });
  expect(await entity('T-009', 'title', 'type')).toMatchObject({ id: 'T-009', type: 'task' });
  if (name.includes('Sow')) expect(await entity('T-009', 'title')).toMatchObject({ title: 'Sow peas' });
  const words = wordsOf(await text(path));
  for (const word of wordsOf(written)) expect(words.join(' ')).toContain(word.replace('+++', ''));
});

test('a hidden note with an id of its own is found and shown; a copy that a program keeps of another is left', async () => {
  await put('Projects/tasks/.T-009 Sow.md', note('T-009'));
  await put('Projects/tasks/T-001 Dig.md', note('T-001'));
  await put('Projects/tasks/.~T-001 Dig.md', note('T-001'));
  await put('.trash/T-010.md', note('T-010'));
  const { findings } = await check();
  expect(findings).toMatchObject([{ file: 'Projects/tasks/.T-009 Sow.md' }]);
  expect(await check({ fix: ['all'] })).toMatchObject({ total: 0, failed: [] });
  expect(await entity('T-009', 'path')).toMatchObject({ path: 'Projects/tasks/T-009 Sow.md' });
  expect(await make('task', { title: 'New' })).toBe('T-011');
});

test('a damaged canvas is found; what can be read of it is kept, and the rest beside it', async () => {
  const node = (id: string) => `{"id":"${id}","type":"text","text":"${id}","x":0,"y":0,"width":9,"height":9}`;
  await put('Comma.canvas', `{"nodes":[${node('a')},],"edges":[]}`);
  await put('Cut.canvas', `{"nodes":[${node('b')},{"id":"half","type":"text","x":1`);
  await put(
    'Two.canvas',
    `<<<<<<< HEAD\n{"nodes":[${node('c')}]}\n=======\n{"nodes":[${node('d')}]}\n>>>>>>> x\n`,
  );
  await put('Sound.canvas', `{"nodes":[${node('e')}],"edges":[]}`);
  await put('Empty.canvas', '');
  const { findings } = await check();
  expect(findings.map(({ file }: Answer) => file)).toEqual(['Comma.canvas', 'Cut.canvas', 'Two.canvas']);
  expect(await check({ fix: ['all'] })).toMatchObject({ total: 0, failed: [] });
  const nodes = async (path: string) => JSON.parse(await text(path)).nodes.map(({ id }: Answer) => id);
  expect([await nodes('Comma.canvas'), await nodes('Cut.canvas')]).toEqual([['a'], ['b', 'half']]);
  expect(await text('Two (damaged).txt')).toContain('"d"');
  expect(await readdir(root())).not.toContain('Cut (damaged).txt');
});

test('what can’t be written keeps nothing else from being repaired, and is said', async () => {
  for (const id of ['T-001', 'T-002', 'T-003', 'T-004']) await put(`${id}.md`, note(id, 'status: doing'));
  const tree = createTree({ root: root() });
  const store = createStore({ root: root(), tree, readWritten: () => Promise.resolve() });
  const entityIndex = createEntityIndex({
    root: root(),
    tree,
    readChangeTimes: () => store.readRecord(changeTimes),
    now: () => new Date(),
  });
  const change: Store['change'] = (work, looking) =>
    store.change(async (draft) => {
      const answer = await work(draft);
      if (draft.changes().some(({ path }) => path === 'T-002.md')) throw new Error('EIO: i/o error');
      return answer;
    }, looking);
  try {
    const { fixed, failed } = await repair(
      { store: { ...store, change }, entityIndex, now: () => new Date() },
      ['all'],
    );
    expect(fixed.map(({ id }) => id)).toEqual(['T-001', 'T-003', 'T-004']);
    expect(failed).toMatchObject([{ finding: { id: 'T-002' }, failure: { code: 'internal' } }]);
    expect(await text('T-004.md')).toContain('status: in_progress');
  } finally {
    tree.close();
  }
});

test.each([
  ['a heading', '# Peas\n\nSow them.\n'],
  ['a heading and words like a field', '## Peas\nNote: sow them.\n'],
  ['a list', '\n- one\n- two\n'],
])('front matter without an end is closed before %s', async (_, body) => {
  await put('T-009.md', `---\nid: T-009\n# mine\nstatus: blocked\n${body}`);
  await check({ fix: ['all'] });
  expect(await text('T-009.md')).toBe(`---\nid: T-009\n# mine\nstatus: blocked\n---\n${body}`);
});
