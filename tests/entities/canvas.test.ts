import { expect, test } from 'vitest';
import { type Answer, vaultForEach } from '../vault-server/vault-for-each';

const { call, make, put, text, update } = vaultForEach();

test('a canvas gets nodes in free places and the edges of the notes, and keeps all that people drew', async () => {
  const drawn = `{
  "nodes": [
    {"id":"note","type":"text","x":0,"y":220,"width":300,"height":140,"text":"mine","zoom":1}
  ],
  "edges": [{"id":"e","fromNode":"note","toNode":"note"}],
  "extra": true
}`;
  await put('Plan.canvas', drawn);
  const on = { add_to_canvas: true, canvas_source: 'Plan.canvas' };
  const milestone = await make('milestone', { title: 'M' }, on);
  const story = await make('story', { title: 'S', parent: milestone }, { add_to_canvas: true });
  const other = await make('story', { title: 'R', parent: milestone, depends_on: [story] }, on);
  const read = async (): Promise<Answer> => JSON.parse(await text('Plan.canvas')) as Answer;
  const edges = async (): Promise<string[]> =>
    (await read()).edges.map((edge: Answer) => `${edge.fromNode}→${edge.toNode}`);
  expect(await edges()).toEqual(['note→note', 'M-001→S-001', 'M-001→S-002', 'S-001→S-002']);
  const { nodes, extra } = await read();
  expect(extra).toBe(true);
  expect(await text('Plan.canvas')).toContain(
    '{"id":"note","type":"text","x":0,"y":220,"width":300,"height":140,"text":"mine","zoom":1}',
  );
  for (const a of nodes) {
    for (const b of nodes) {
      if (a !== b)
        expect(
          a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y,
        ).toBe(true);
    }
  }
  const { entity } = await call('get_entity', { id: other });
  await update(other, { depends_on: [] }, { revision: entity.revision });
  expect(await edges()).toEqual(['note→note', 'M-001→S-001', 'M-001→S-002']);
  await update(other, { archived: true });
  expect((await read()).nodes.at(-1).file).toBe('Projects/archive/stories/S-002 R.md');
  expect((await call('get_project_overview', { canvas_source: 'Plan.canvas' })).summary.stories.total).toBe(
    1,
  );
  const crowd = [1, 2, 3, 4].map(
    (at) => `{"id":"${at}","type":"text","x":${360 * at},"y":220,"width":300,"height":140}`,
  );
  const middle = `{"id":"m","type":"file","file":"Projects/milestones/M-001 M.md","x":360,"y":0,"width":300,"height":140}`;
  await put('Crowd.canvas', `{"nodes":[${middle},${crowd.join(',')}],"edges":[]}`);
  await make('story', { title: 'Near', parent: milestone }, { ...on, canvas_source: 'Crowd.canvas' });
  expect((JSON.parse(await text('Crowd.canvas')) as Answer).nodes.at(-1)).toMatchObject({ x: 0, y: 220 });
  await put('bad.canvas', '{"nodes": 1}');
  expect(
    await call('create_entity', {
      type: 'task',
      data: { title: 'T' },
      options: { add_to_canvas: true, canvas_source: 'bad.canvas' },
    }),
  ).toMatchObject({ code: 'validation', field: 'canvas_source' });
});

test('beside a card of enormous size there is a place, too', async () => {
  const on = { add_to_canvas: true, canvas_source: 'Wide.canvas' };
  const milestone = await make('milestone', { title: 'M' }, on);
  const { nodes } = JSON.parse(await text('Wide.canvas')) as Answer;
  const wall = { id: 'wall', type: 'text', text: '', x: -1e12, y: -1e12, width: 3e12, height: 2e12 };
  await put('Wide.canvas', JSON.stringify({ nodes: [...nodes, wall], edges: [] }));
  const story = await make('story', { title: 'S', parent: milestone }, on);
  const after = JSON.parse(await text('Wide.canvas')) as Answer;
  const placed = after.nodes.find((node: Answer) => node.id === story || node.file?.includes(story));
  expect(placed.y).toBeGreaterThanOrEqual(1e12);
});

test('a canvas that is damaged or lies outside keeps no note from being changed, and is left alone', async () => {
  const id = await make('task', { title: 'A' }, { add_to_canvas: true, canvas_source: 'Plan.canvas' });
  await put('Plan.canvas', '{"nodes": [');
  expect((await update(id, { status: 'blocked' })).entity).toMatchObject({ status: 'blocked' });
  expect(await text('Plan.canvas')).toBe('{"nodes": [');
  for (const [path, code] of [
    ['../Plan.canvas', 'path_outside_vault'],
    ['.obsidian/x.canvas', 'path_outside_vault'],
    ['Plan.md', 'validation'],
  ] as const) {
    expect([path, await update(id, { canvas_source: path })]).toMatchObject([path, { code }]);
  }
  await put('Hand.md', '---\nid: T-050\ntitle: Hand\ncanvas_source: ../../x.canvas\n---\n');
  expect((await update('T-050', { status: 'blocked' })).entity).toMatchObject({ status: 'blocked' });
});
