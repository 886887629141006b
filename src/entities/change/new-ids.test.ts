import { expect, test } from 'vitest';
import { ToolFailure } from '../base/failures';
import type { Entity } from '../entity/model/model';
import { lastGiven, numbersBy } from '../entity/model/numbers';
import { createNewIds } from './new-ids';

const task = (number: number) => ({ type: 'task', order: number }) as Entity;

const newIds = (given: number, changed: readonly Entity[] = []) =>
  createNewIds({ given: numbersBy(() => given), whyNoNew: null, changed: () => changed });

test('an id that is claimed is not given again, and of each type the numbers go on by themselves', () => {
  const ids = newIds(4);
  expect([ids.next('task'), ids.next('task')]).toEqual(['T-005', 'T-005']);
  expect([ids.claim('task'), ids.claim('task')]).toEqual(['T-005', 'T-006']);
  expect([ids.next('task'), ids.next('story')]).toEqual(['T-007', 'S-005']);
  expect(ids.numbers()).toMatchObject({ task: 6, story: 4 });
});

test('a number that a change brought counts, but not one that is never given', () => {
  const changed: Entity[] = [];
  const ids = newIds(4, changed);
  changed.push(task(11), task(lastGiven + 1));
  expect([ids.next('task'), ids.next('story')]).toEqual(['T-012', 'S-005']);
});

test('where no number is left, or none may be given, an id is refused', () => {
  expect(() => newIds(lastGiven).next('task')).toThrow('No number is left for a new task.');
  const whyNoNew = new ToolFailure('read_only', 'The record can’t be read.');
  const ids = createNewIds({ given: numbersBy(() => 0), whyNoNew, changed: () => [] });
  expect(() => ids.claim('task')).toThrow(whyNoNew);
});
