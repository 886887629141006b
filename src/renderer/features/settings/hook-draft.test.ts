import { expect, test } from 'vitest';
import type { HookEntry } from '../../../contract/hooks';
import { draftOfHook, faultsOf, hookOf } from './hook-draft';

const full: HookEntry = {
  name: 'Log',
  on: 'after-tool-call',
  enabled: false,
  note: 'Journal/**',
  tool: 'files/*',
  in: 'Log.md',
  run: { tool: 'files/append', arguments: { text: '{{note}}' } },
  agreed: true,
  lastRun: null,
};

test('a hook that is opened and saved stays what it was', () => {
  const { lastRun: _lastRun, agreed: _agreed, ...hook } = full;
  expect(faultsOf(draftOfHook(full), [])).toEqual({});
  expect(hookOf(draftOfHook(full), full)).toEqual(hook);
});

test('what the chosen event does not know is left out', () => {
  const scheduled = { ...draftOfHook(full), on: 'schedule' as const, every: ' 2h ' };
  expect(hookOf(scheduled, null)).toEqual({
    name: 'Log',
    on: 'schedule',
    every: '2h',
    in: 'Log.md',
    run: full.run,
  });
});

test.each([
  [{ name: ' ' }, { name: 'needed' }],
  [{ name: 'Sum' }, { name: 'taken' }],
  [{ which: '' }, { which: 'needed' }],
  [{ which: 'append' }, { which: 'tool' }],
  [{ arguments: '{text' }, { arguments: 'json' }],
  [{ arguments: '[1]' }, { arguments: 'json' }],
  [{ on: 'schedule', every: '2 hours' }, { every: 'every' }],
  [{ kind: 'agent', which: 'Critic', in: '' }, { in: 'in' }],
  [{ kind: 'agent', which: 'Critic', in: '', on: 'after-answer' }, {}],
  [{ kind: 'prompt', which: 'Sum', in: '', on: 'schedule', every: '1d' }, { in: 'in-schedule' }],
] as const)('what is missing or wrong is named at its box: %j', (changes, faults) => {
  expect(faultsOf({ ...draftOfHook(full), ...changes }, ['Sum'])).toEqual(faults);
});
