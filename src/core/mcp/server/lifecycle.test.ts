import { expect, test } from 'vitest';
import type { ServerState } from '../../../contract/mcp';
import { type ServerCondition, serverCondition } from '../../../contract/server-state';
import { type Life, type LifeEvent, next } from './lifecycle';

const states: Record<ServerCondition, ServerState> = {
  stopped: { kind: 'stopped' },
  starting: { kind: 'starting', attempt: 0 },
  ready: { kind: 'ready', since: 1 },
  degraded: { kind: 'degraded', since: 1, reason: { code: 'said', text: 'slow' } },
  unhealthy: { kind: 'unhealthy', reason: { code: 'said', text: 'silent' } },
  'needs-sign-in': { kind: 'needs-sign-in' },
  waiting: { kind: 'waiting', retryAt: 5, attempt: 2, reason: { code: 'said', text: 'x' } },
  failed: { kind: 'failed', reason: { code: 'said', text: 'x' } },
  off: { kind: 'disabled', by: 'user', reason: { code: 'switched-off' } },
  'given-up': { kind: 'disabled', by: 'failures', reason: { code: 'said', text: 'x' } },
};
const events: Record<string, LifeEvent> = {
  start: { kind: 'start' },
  stop: { kind: 'stop' },
  disable: { kind: 'disable' },
  enable: { kind: 'enable' },
  connected: { kind: 'connected', at: 10 },
  'needs-sign-in': { kind: 'needs-sign-in' },
  failed: { kind: 'failed', at: 10, reason: { code: 'said', text: 'gone' }, random: 0.5, restarts: 5 },
  hopeless: { kind: 'hopeless', reason: { code: 'said', text: 'no program' } },
  retry: { kind: 'retry' },
  'answered fast': { kind: 'answered', at: 10, ms: 20, lost: null },
  'answered slowly': { kind: 'answered', at: 10, ms: 2_000, lost: null },
  'answered too late': { kind: 'answered', at: 10, ms: 6_000, lost: null },
  'tools lost': { kind: 'answered', at: 10, ms: 20, lost: { code: 'not-listed', why: { code: 'silent' } } },
  'no-answer': { kind: 'no-answer', reason: { code: 'said', text: 'silent' } },
};

/** Each row: the state before, and what each event makes of it; what is not named leaves it as it is. */
const table: Record<ServerCondition, Partial<Record<keyof typeof events, ServerState['kind']>>> = {
  stopped: { start: 'starting', disable: 'disabled' },
  starting: {
    stop: 'stopped',
    disable: 'disabled',
    connected: 'ready',
    'needs-sign-in': 'needs-sign-in',
    failed: 'waiting',
    hopeless: 'failed',
  },
  ready: {
    stop: 'stopped',
    disable: 'disabled',
    'needs-sign-in': 'needs-sign-in',
    failed: 'waiting',
    hopeless: 'failed',
    'answered slowly': 'degraded',
    'answered too late': 'unhealthy',
    'tools lost': 'degraded',
    'no-answer': 'unhealthy',
  },
  degraded: {
    stop: 'stopped',
    disable: 'disabled',
    'needs-sign-in': 'needs-sign-in',
    failed: 'waiting',
    hopeless: 'failed',
    'answered fast': 'ready',
    'answered too late': 'unhealthy',
    'no-answer': 'unhealthy',
  },
  unhealthy: {
    stop: 'stopped',
    disable: 'disabled',
    'needs-sign-in': 'needs-sign-in',
    failed: 'waiting',
    hopeless: 'failed',
    'answered fast': 'ready',
    'answered slowly': 'degraded',
    'tools lost': 'degraded',
  },
  'needs-sign-in': { start: 'starting', stop: 'stopped', disable: 'disabled' },
  waiting: {
    stop: 'stopped',
    disable: 'disabled',
    'needs-sign-in': 'needs-sign-in',
    failed: 'waiting',
    hopeless: 'failed',
    retry: 'starting',
  },
  failed: { start: 'starting', stop: 'stopped', disable: 'disabled' },
  off: { disable: 'disabled', enable: 'stopped' },
  'given-up': { start: 'starting', disable: 'disabled', enable: 'stopped' },
};

for (const [from, state] of Object.entries(states)) {
  test(`from ${from} every event leads where the table says`, () => {
    const reached = Object.fromEntries(
      Object.entries(events).map(([name, event]) => [name, next({ state, failures: 0 }, event).state.kind]),
    );
    const row = table[serverCondition(state)];
    const expected = Object.fromEntries(Object.keys(events).map((name) => [name, row[name] ?? state.kind]));
    expect(reached).toEqual(expected);
  });
}

test('the first restart comes at once, four more wait twice as long each, then a person is asked', () => {
  let life: Life = { state: { kind: 'starting', attempt: 0 }, failures: 0 };
  const waits: number[] = [];
  while (life.state.kind === 'starting') {
    life = next(life, {
      kind: 'failed',
      at: 1_000,
      reason: { code: 'said', text: 'gone' },
      random: 0.5,
      restarts: 5,
    });
    if (life.state.kind !== 'waiting') break;
    waits.push(life.state.retryAt - 1_000);
    life = next(life, { kind: 'retry' });
  }
  expect(waits).toEqual([0, 1_000, 2_000, 4_000, 8_000]);
  expect(life.state).toEqual({ kind: 'disabled', by: 'failures', reason: { code: 'said', text: 'gone' } });
});

test('a healthy minute and a person’s start begin the count anew, a mere connection does not', () => {
  const tired: Life = { state: { kind: 'starting', attempt: 4 }, failures: 4 };
  const up = next(tired, { kind: 'connected', at: 1 });
  expect(up.failures).toBe(4);
  expect(next(up, { kind: 'healthy-minute' }).failures).toBe(0);
  expect(next({ ...tired, state: states.failed }, { kind: 'start' }).failures).toBe(0);
});

test('an event without a meaning gives back the very same life', () => {
  const life: Life = { state: states.ready, failures: 0 };
  expect(next(life, { kind: 'retry' })).toBe(life);
});

test('a person’s start is the first attempt, and who has to sign in has not failed', () => {
  const tired: Life = { state: states.failed, failures: 4 };
  expect(next(tired, events.start!)).toEqual({ state: { kind: 'starting', attempt: 0 }, failures: 0 });
  expect(next({ state: states.ready, failures: 4 }, events['needs-sign-in']!)).toEqual({
    state: { kind: 'needs-sign-in' },
    failures: 0,
  });
});

test('who is switched off has not failed, and a second is slow', () => {
  expect(next({ state: states.failed, failures: 4 }, events.disable!).failures).toBe(0);
  const after = (ms: number) =>
    next({ state: states.ready, failures: 0 }, { kind: 'answered', at: 10, ms, lost: null }).state.kind;
  expect([999, 1_000, 4_999, 5_000].map(after)).toEqual(['ready', 'degraded', 'degraded', 'unhealthy']);
});

test('a healthy minute means nothing where nothing failed, or where the server is not ready by then', () => {
  for (const life of [
    { state: states.ready, failures: 0 },
    { state: states.degraded, failures: 2 },
  ])
    expect(next(life, { kind: 'healthy-minute' })).toBe(life);
});

test('a server is up since it came up, however well it answered meanwhile, and says how long it took', () => {
  const slow = next({ state: states.ready, failures: 0 }, events['answered slowly']!);
  expect(slow.state).toEqual({ kind: 'degraded', since: 1, reason: { code: 'slow', ms: 2_000 } });
  expect(next(slow, events['answered fast']!).state).toEqual({ kind: 'ready', since: 1 });
  expect(next({ state: states.unhealthy, failures: 0 }, events['answered fast']!).state).toEqual({
    kind: 'ready',
    since: 10,
  });
});
