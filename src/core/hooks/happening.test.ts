import { expect, test } from 'vitest';
import type { Hook } from '../../contract/hooks';
import { type Happening, type HookSituation, isCalled } from './happening';

const hook = (changes: Partial<Hook>): Hook => ({
  name: 'One',
  on: 'saved',
  run: { tool: 'memory/store' },
  ...changes,
});

function situation(changes: Partial<Record<keyof HookSituation, unknown>> = {}): HookSituation {
  const values = { isAgreed: true, isRunning: false, isWrittenByHook: false, waited: 0, ...changes };
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, () => value]),
  ) as unknown as HookSituation;
}

const saved: Happening = { event: 'saved', path: 'Diary/Monday.md' };

test('a hook is called by its event, its note and its tool, and by nothing else', () => {
  expect(isCalled(hook({}), saved, situation())).toBe(true);
  expect(isCalled(hook({}), { ...saved, event: 'note-opened' }, situation())).toBe(false);
  expect(isCalled(hook({ note: 'Diary/*.md' }), saved, situation())).toBe(true);
  expect(isCalled(hook({ note: 'Work/*.md' }), saved, situation())).toBe(false);
  expect(isCalled(hook({ note: '**' }), { ...saved, path: null }, situation())).toBe(false);
  const called: Happening = { event: 'after-tool-call', path: null, tool: 'files/write' };
  expect(isCalled(hook({ on: 'after-tool-call', tool: 'files/*' }), called, situation())).toBe(true);
  expect(isCalled(hook({ on: 'after-tool-call', tool: 'mail/*' }), called, situation())).toBe(false);
});

test('a hook that is off, or that nobody agreed to, is not called and nothing more is asked of it', () => {
  const asks = () => {
    throw new Error('asked');
  };
  const strict = { isAgreed: () => false, isRunning: asks, isWrittenByHook: asks, waited: asks };
  expect(isCalled(hook({}), saved, strict)).toBe(false);
  expect(isCalled(hook({ enabled: false }), saved, situation())).toBe(false);
});

test('what a hook writes does not call it again; another event in that note does', () => {
  expect(isCalled(hook({}), saved, situation({ isRunning: true }))).toBe(false);
  expect(isCalled(hook({}), saved, situation({ isWrittenByHook: true }))).toBe(false);
  const opened: Happening = { event: 'note-opened', path: saved.path };
  const busy = situation({ isRunning: true, isWrittenByHook: true });
  expect(isCalled(hook({ on: 'note-opened' }), opened, busy)).toBe(true);
});

test.each([
  ['5m', 300_000],
  ['2h', 7_200_000],
  ['1d', 86_400_000],
])('a hook of every %s runs after %d ms, and not beside itself', (every, ms) => {
  const due: Happening = { event: 'schedule', path: null };
  const scheduled = hook({ on: 'schedule', every });
  expect(isCalled(scheduled, due, situation({ waited: ms - 1 }))).toBe(false);
  expect(isCalled(scheduled, due, situation({ waited: ms }))).toBe(true);
  expect(isCalled(scheduled, due, situation({ waited: ms, isRunning: true }))).toBe(false);
});
