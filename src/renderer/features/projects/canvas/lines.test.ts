import { expect, test } from 'vitest';
import type { CanvasContent, CanvasEdge, CanvasNode } from '../../../../contract/projects';
import { facing, linesOf } from './lines';

const node = (id: string, x: number, y: number): CanvasNode => ({
  ...{ id, kind: 'text', x, y, width: 100, height: 50, color: null, text: '' },
  ...{ file: null, exists: false, entity: null },
});
const edge = (id: string, more: Partial<CanvasEdge> = {}): CanvasEdge => ({
  ...{ id, kind: 'depends', from: 'a', to: 'b', fromSide: null, toSide: null },
  ...{ fromArrow: false, toArrow: true, color: null, label: null },
  ...more,
});
const content = (edges: CanvasEdge[]): CanvasContent => ({
  ...{ path: 'a.canvas', version: '1', edges },
  nodes: [node('a', 0, 0), node('b', 300, 0)],
});

test('an edge leaves where the other note is', () => {
  const box = { x: 0, y: 0, width: 100, height: 50 };
  expect(facing(box, { ...box, x: 300, y: 900 })).toEqual(['right', 'left']);
  expect(facing(box, { ...box, x: 20, y: -200 })).toEqual(['top', 'bottom']);
});

test('edges of one kind are one path, which follows what is being moved', () => {
  const { lines } = linesOf(content([edge('1'), edge('2'), edge('3', { kind: 'parent' })]), [
    { id: 'b', x: 300, y: 100 },
  ]);
  expect(lines.map(({ kind }) => kind)).toEqual(['depends', 'parent']);
  expect(lines[0]?.path).toMatch(/^M100 25C.* 300 125M.*L300 125/);
});

test('a drawn edge keeps the sides that its file gives; one that leads nowhere is left out', () => {
  const drawn = edge('1', { kind: 'drawn', fromSide: 'top', toSide: 'bottom', toArrow: false, label: 'why' });
  const { lines, labels } = linesOf(content([drawn, edge('2', { to: 'gone' })]), []);
  expect(lines).toHaveLength(1);
  expect(lines[0]?.path).toMatch(/^M50 0C.* 350 50$/);
  expect(labels).toEqual([{ id: '1', text: 'why', x: 200, y: 25 }]);
});
