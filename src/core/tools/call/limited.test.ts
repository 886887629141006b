import { expect, test } from 'vitest';
import { createManualClock } from '../../../../tests/support/manual-clock';
import { createInner, outcome, resolvedCall, signal } from '../../../../tests/support/tool-call';
import { createLimits } from '../policy/limits';
import { limited } from './limited';

const one = () =>
  createLimits({
    clock: createManualClock(),
    overall: () => 1,
    ofServer: () => null,
    callsPerNote: () => -1,
  });
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('a call waits for its place and gives it to the next one', async () => {
  const ends: (() => void)[] = [];
  const { inner, reached } = createInner(async () => {
    await new Promise<void>((resolve) => ends.push(resolve));
    return outcome();
  });
  const call = limited(inner, one());
  const first = call(resolvedCall().call, signal);
  const second = call(resolvedCall().call, signal);
  await turn();
  expect(reached).toHaveLength(1);
  ends[0]?.();
  await first;
  await turn();
  expect(reached).toHaveLength(2);
  ends[1]?.();
  await second;
});

test('a call that fails leaves its place', async () => {
  const limits = one();
  const { inner } = createInner(() => Promise.reject(new Error('lost')));
  await expect(limited(inner, limits)(resolvedCall().call, signal)).rejects.toThrow('lost');
  expect(limits.used.get().running).toBe(0);
});

test('a call that became a task keeps nobody waiting, and leaves once only', async () => {
  const limits = one();
  const { call, steps } = resolvedCall();
  const { inner } = createInner(async ({ onStep }) => {
    onStep({ kind: 'running', arguments: {} });
    expect(limits.used.get().running).toBe(1);
    onStep({ kind: 'task' });
    expect(limits.used.get().running).toBe(0);
    return outcome();
  });
  await limited(inner, limits)(call, signal);
  expect(limits.used.get().running).toBe(0);
  expect(steps.map(({ kind }) => kind)).toEqual(['running', 'task']);
});

test('who stops waiting is not called', async () => {
  const limits = one();
  const leave = await limits.enter('server-1', signal);
  const { inner, reached } = createInner();
  const stop = new AbortController();
  const waiting = limited(inner, limits)(resolvedCall().call, stop.signal);
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'request.cancelled' });
  leave();
  await turn();
  expect(reached).toEqual([]);
});
