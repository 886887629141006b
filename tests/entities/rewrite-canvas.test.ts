import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { vaultForEach } from '../vault-server/vault-for-each';

const { call, put, root, text } = vaultForEach();
const place = '"x":0,"y":0,"width":10,"height":10';
const own = '"own":{"b":[1,{"a":12345678901234567890}]},"__proto__":{"mine":1}';

/** What is wrong, what it becomes. Every other byte is there twice, in the canvas before and after. */
const wrong: Record<string, [string, string]> = {
  'no place': [
    `{"id":"a","type":"text",${own}}`,
    `{"id":"a","type":"text",${own},"x": 0,"y": 0,"width": 300,"height": 140}`,
  ],
  'a place in words': [
    `{"id":"a","type":"text",${own},${place.replace('"x":0', '"x":"7"')}}`,
    `{"id":"a","type":"text",${own},${place.replace('"x":0', '"x":7')}}`,
  ],
  'a number for an id': [
    `{"id":5,"type":"text",${own},${place}}`,
    `{"id":"5","type":"text",${own},${place}}`,
  ],
  'no file': [
    `{"id":"a","file":null,"type":"text",${own},${place}}`,
    `{"id":"a","type":"text",${own},${place}}`,
  ],
  'a comma too many': [
    `{"id":"a","type":"text",${own},${place},}`,
    `{"id":"a","type":"text",${own},${place}}`,
  ],
};
const other = `{ "id": "z",\t"type":"text", ${place}, "zoom": 1.50 }`;
const edge = '{"id":"e","fromNode":"z","toNode":"z","color":"3","own":1e2}';
const around = (node: string) => `{"nodes":[${other}, ${node}],\r\n\t"edges":[${edge}],\n "mine":{"a":1}}\n`;

test.each(['', '\uFEFF'])(
  'what keeps a canvas from being read is put right; all else stays, byte for byte (%j)',
  async (mark) => {
    for (const [name, [before, after]] of Object.entries(wrong)) {
      await put('P.canvas', mark + around(before));
      expect([name, await call('check_project', { fix: ['all'] })]).toMatchObject([name, { total: 0 }]);
      expect(await text('P.canvas')).toBe(mark + around(after));
      expect(await readdir(root())).not.toContain('P (damaged).txt');
    }
  },
);

test('edges of nodes that were numbered stay', async () => {
  const node = (id: number) => `{"id":${id},"type":"text",${place}}`;
  await put(
    'P.canvas',
    `{"nodes":[${node(1)},${node(2)}],"edges":[{"id":3,"fromNode":1,"toNode":2,"own":1}]}`,
  );
  expect(await call('check_project', { fix: ['all'] })).toMatchObject({ total: 0 });
  expect(JSON.parse(await text('P.canvas')).edges).toEqual([{ id: '3', fromNode: '1', toNode: '2', own: 1 }]);
});

test('of nodes that were numbered none is taken for another one, and none loses a digit', async () => {
  const node = (id: string, words: string) => `{"id":${id},"type":"text","text":"${words}",${place}}`;
  const many = ['12345678901234567890', '12345678901234567891', '5', '"5"'];
  const edges = many.map((id, at) => `{"id":"e${at}","fromNode":${id},"toNode":"z"}`);
  const before = `{"nodes":[${many.map((id, at) => node(id, `n${at}`)).join()},${node('"z"', 'z')}],"edges":[${edges.join()}]}`;
  await put('P.canvas', before);
  expect(await call('check_project', { fix: ['all'] })).toMatchObject({ total: 0 });
  const canvas = JSON.parse(await text('P.canvas')) as {
    nodes: { id: string; text: string }[];
    edges: { fromNode: string }[];
  };
  const textOf = (id: string) => canvas.nodes.filter((each) => each.id === id).map((each) => each.text);
  expect(canvas.edges.map(({ fromNode }) => textOf(fromNode))).toEqual([['n0'], ['n1'], ['n2'], ['n3']]);
  expect(canvas.nodes[0]?.id).toBe(many[0]);
  expect(await text('P (damaged).txt')).toBe(before);
});

test('what had to go stays beside the canvas, also where each of its words is left in it', async () => {
  const file = '{"own":"deep"}';
  const before = `{"nodes":[{"id":"a","type":"text","file":${file},${place}},{"id":"deep","type":"text","own":"file",${place}}]}`;
  await put('P.canvas', before);
  expect(await call('check_project', { fix: ['all'] })).toMatchObject({ total: 0 });
  expect(await text('P (damaged).txt')).toBe(before);
});

test('a canvas with a byte order mark is read and written as any other', async () => {
  await put('One.md', '---\nid: T-001\ntype: task\ntitle: One\n---\n');
  const mine = `{"id":"mine","type":"text","text":"x",${place}}`;
  await put('P.canvas', `\uFEFF{"nodes":[${mine}],"edges":[]}`);
  expect(await call('check_project')).toMatchObject({ total: 0 });
  const data = { title: 'Two', depends_on: ['T-001'] };
  const options = { add_to_canvas: true, canvas_source: 'P.canvas' };
  expect(await call('create_entity', { type: 'task', data, options })).toMatchObject({ entity: {} });
  expect(await text('P.canvas')).toMatch(/^\uFEFF\{"nodes":\[\{"id":"mine".*T-002 Two\.md/s);
});

test('a canvas names a note also by ./ and /', async () => {
  for (const name of ['./Tasks/One.md', '/Tasks/One.md', 'Tasks/./One.md']) {
    await put('Tasks/One.md', '---\nid: T-001\ntype: task\ntitle: One\n---\n');
    await put('P.canvas', `{"nodes":[{"id":"n","type":"file","file":"${name}",${place}}]}`);
    expect(await call('check_project')).toMatchObject({ total: 0 });
    const { summary } = await call('get_project_overview', { canvas_source: 'P.canvas' });
    expect(summary.tasks.total).toBe(1);
    await call('update_entity', { id: 'T-001', data: { canvas_source: 'P.canvas' } });
    expect(await text('P.canvas')).toContain(`"${name}"`);
    await call('update_entity', { id: 'T-001', data: { archived: true } });
    expect(await text('P.canvas')).toContain('"file":"Projects/archive/');
    await call('update_entity', { id: 'T-001', data: { archived: false } });
  }
});
