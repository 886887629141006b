import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { vaultForEach } from '../vault-server/vault-for-each';

const { call, make, put, root, text, update } = vaultForEach();
const place = '"x":0,"y":0,"width":10,"height":10';
const node = (id: string, file: string) => `{"id":"${id}","type":"file","file":"${file}",${place}}`;

test('what leads nowhere on a canvas is found; nothing that was drawn is cut unasked', async () => {
  const id = await make('task', { title: 'One' });
  const nodes = [
    node('a', `Old/${id} Once.md`),
    node('b', 'Gone.md'),
    node('b', `Projects/tasks/${id} One.md`),
  ];
  const edge = '{"id":"e","fromNode":"a","toNode":"zzz"}';
  await put('P.canvas', `{"nodes":[${nodes.join(',')}],"edges":[${edge}]}`);
  const { findings } = await call('check_project');
  expect(findings).toHaveLength(4);
  expect(await call('check_project', { fix: ['all'] })).toMatchObject({ total: 2, failed: [] });
  const { findings: left } = await call('check_project');
  const keys = left.map(({ key }: { key: string }) => key);
  expect(await call('check_project', { fix: keys })).toMatchObject({ total: 0 });
  const file = `Projects/tasks/${id} One.md`;
  expect(JSON.parse(await text('P.canvas'))).toMatchObject({
    nodes: [
      { id: 'a', file },
      { id: 'b-2', file },
    ],
    edges: [],
  });
});

test('words that go with what is taken out of a canvas stay in a text beside it', async () => {
  const before = (edge: string, card: string) => `{"nodes":[${card}],"edges":[${edge}]}`;
  const edge = (more: string) => `{"id":"e","fromNode":"a","toNode":"zzz","toSide":"left"${more}}`;
  const cases: [name: string, edge: string, node: string, isKept: boolean][] = [
    ['Label', edge(',"label":"my words"'), `{"id":"a","type":"text","text":"x",${place}}`, true],
    ['Mark', edge(''), `{"id":"g","type":"file","file":"Gone.md","remark":"mine",${place}}`, true],
    ['None', edge(''), node('g', 'Gone.md'), false],
  ];
  for (const [name, one, card] of cases) await put(`${name}.canvas`, before(one, card));
  const { findings } = await call('check_project');
  const keys = findings.map(({ key }: { key: string }) => key);
  expect(await call('check_project', { fix: keys })).toMatchObject({ total: 0, failed: [] });
  const files = await readdir(root());
  for (const [name, one, card, isKept] of cases) {
    expect(files.includes(`${name} (damaged).txt`), name).toBe(isKept);
    if (isKept) expect(await text(`${name} (damaged).txt`)).toBe(before(one, card));
  }
});

test('an archived note is shown where it is now, on every canvas', async () => {
  const id = await make('task', { title: 'One' });
  await put('P.canvas', `{"nodes":[${node('a', `Projects/tasks/${id} One.md`)}]}`);
  await update(id, { archived: true });
  expect(await text('P.canvas')).toContain(`"Projects/archive/tasks/${id} One.md"`);
  await update(id, { archived: false });
  expect(await text('P.canvas')).toContain(`"Projects/tasks/${id} One.md"`);
  await rename(join(root(), `Projects/tasks/${id} One.md`), join(root(), 'One.md'));
  expect(await call('check_project', { fix: ['all'] })).toMatchObject({ total: 0 });
  expect(await text('P.canvas')).toContain('"file":"One.md"');
});

const many = 5_000;
const cards: Record<string, (index: number) => string> = {
  'of one id': () => `{"id":"q","type":"text","text":"x",${place}}`,
  'of notes that were moved': (index) => node(`n${index}`, 'Old/T-001 One.md'),
  'that are numbered': (index) => `{"id":${index},"type":"text","text":"x",${place}}`,
};

test.each(Object.entries(cards))('thousands of cards %s are put right in one go', async (_, card) => {
  await make('task', { title: 'One' });
  const nodes = Array.from({ length: many }, (_each, index) => card(index));
  await put('P.canvas', `{"nodes":[${nodes.join()}],"edges":[]}`);
  expect(await call('check_project', { fix: ['all'] })).toMatchObject({ total: 0, failed: [] });
  const { nodes: now } = JSON.parse(await text('P.canvas')) as { nodes: { id: string }[] };
  expect(new Set(now.map(({ id }) => id)).size).toBe(many);
});
