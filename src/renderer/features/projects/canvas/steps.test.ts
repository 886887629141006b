import { expect, test } from 'vitest';
import { nextStep, type Step, type Steps, stepped, withStep } from './steps';

const step = (x: number): Step => ({
  before: [{ id: 'a', x: x - 1, y: 0 }],
  after: [{ id: 'a', x, y: 0 }],
  arranged: false,
});

test('moves are taken back the last first and done again the other way round, until something else is moved', () => {
  let steps: Steps = withStep(undefined, step(1), { onto: 'v0', version: 'v1' });
  steps = withStep(steps, step(2), { onto: 'v1', version: 'v2' });
  expect(nextStep(steps, 'undo')).toEqual(step(2));
  expect(nextStep(steps, 'redo')).toBeUndefined();
  steps = stepped(steps, 'undo', 'v1');
  expect(nextStep(steps, 'undo')).toEqual(step(1));
  expect(nextStep(steps, 'redo')).toEqual(step(2));
  steps = stepped(steps, 'undo', 'v0');
  expect(nextStep(steps, 'undo')).toBeUndefined();
  steps = stepped(steps, 'redo', 'v1');
  expect(nextStep(steps, 'redo')).toEqual(step(2));
  steps = withStep(steps, step(9), { onto: 'v1', version: 'v9' });
  expect(nextStep(steps, 'redo')).toBeUndefined();
  expect(nextStep(stepped(steps, 'undo', 'v1'), 'undo')).toEqual(step(1));
});

test('what was moved before somebody else changed the file is not taken back over that', () => {
  const steps = withStep(undefined, step(1), { onto: 'v0', version: 'v1' });
  const after = withStep(steps, step(2), { onto: 'theirs', version: 'v2' });
  expect(after.past).toEqual([step(2)]);
});
