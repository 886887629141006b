import { expect, test } from 'vitest';
import type { EntityBrief } from '../../../contract/projects';
import { columnsOf, neighbour, statusBeside } from './board';

const card = (id: string, status: string, more: Partial<EntityBrief> = {}): EntityBrief => ({
  ...{ id, status, type: 'task', title: `Title ${id}`, priority: null, workstream: null, parent: null },
  ...{ assignee: null, targetDate: null, dependsOn: [], waitsFor: 0, open: true, overdue: false },
  ...{ archived: false, path: `${id}.md`, updated: '', revision: '' },
  ...more,
});

const all = [
  card('T-001', 'not_started'),
  card('T-002', 'not_started', { priority: 'critical', assignee: 'Ada' }),
  card('T-003', 'completed'),
  card('T-004', 'someday'),
  card('DEC-001', 'pending', { type: 'decision' }),
];
const ids = (columns: ReturnType<typeof columnsOf>) => columns.map(({ cards }) => cards.map(({ id }) => id));

test('work stands in four columns, the urgent first; a status of a person’s own has a column, too', () => {
  expect(ids(columnsOf(all, 'all', ''))).toEqual([['T-002', 'T-001'], [], [], ['T-003'], ['T-004']]);
});

test('a filter finds ids, titles and people by all its words', () => {
  expect(ids(columnsOf(all, 'all', 'ada t-00')).flat()).toEqual(['T-002']);
  expect(ids(columnsOf(all, 'story', '')).flat()).toEqual([]);
});

test('arrows go along a column and over empty ones', () => {
  const columns = columnsOf(all, 'all', '');
  expect(neighbour(columns, 'T-002', 'ArrowDown')).toBe('T-001');
  expect(neighbour(columns, 'T-001', 'ArrowRight')).toBe('T-003');
  expect(neighbour(columns, 'T-003', 'ArrowLeft')).toBe('T-002');
  expect(neighbour(columns, 'T-002', 'ArrowLeft')).toBeNull();
});

test('a card moves to the status beside its own and not beyond the ends', () => {
  expect(statusBeside('in_progress', 1)).toBe('blocked');
  expect(statusBeside('not_started', -1)).toBeNull();
  expect(statusBeside('someday', 1)).toBe('not_started');
});
