import { expect, test } from 'vitest';
import type { CanvasContent, CanvasNode } from '../../../../contract/projects';
import { flowNodes, groupsOf, movedSince, placesBefore, placesOf } from './flow';

const node = (id: string, kind: CanvasNode['kind'], x: number, y: number, size = 10): CanvasNode => ({
  ...{ id, kind, x, y, width: size, height: size, color: null, text: '', file: null },
  ...{ exists: false, entity: null },
});

const content: CanvasContent = {
  path: 'a.canvas',
  version: '1',
  nodes: [
    node('inside', 'text', 120, 120),
    node('outer', 'group', 0, 0, 500),
    node('inner', 'group', 100, 100, 100),
    node('outside', 'text', 600, 0),
    node('across', 'text', 495, 10),
  ],
  edges: [],
};

test('a node belongs to the smallest group that it lies in as a whole', () => {
  expect([...groupsOf(content.nodes)]).toEqual([
    ['inside', 'inner'],
    ['inner', 'outer'],
  ]);
});

test('a view that nobody touched moves nothing, groups come before what they hold and take it along', () => {
  const nodes = flowNodes(content, ({ id }) => id);
  expect(nodes.map(({ id }) => id)).toEqual(['outer', 'inner', 'outside', 'across', 'inside']);
  expect(movedSince(content, placesOf(nodes))).toEqual([]);
  const dragged = nodes.map((each) =>
    each.id === 'outer' ? { ...each, position: { x: 5.4, y: -3 } } : each,
  );
  expect(movedSince(content, placesOf(dragged))).toEqual([
    { id: 'outer', x: 5, y: -3 },
    { id: 'inner', x: 105, y: 97 },
    { id: 'inside', x: 125, y: 117 },
  ]);
});

test('two groups of one size in one place do not hold each other', () => {
  expect(groupsOf([node('a', 'group', 0, 0), node('b', 'group', 0, 0)]).size).toBe(0);
});

test('where nodes were before a move is told with their size only where the move changed it', () => {
  const moves = [
    { id: 'inside', x: 1, y: 2 },
    { id: 'outer', x: 0, y: 0, width: 700 },
    { id: 'gone', x: 3, y: 4 },
  ];
  expect(placesBefore(content, moves)).toEqual([
    { id: 'inside', x: 120, y: 120 },
    { id: 'outer', x: 0, y: 0, width: 500 },
  ]);
});
