import { expect, onTestFinished, test, vi } from 'vitest';
import { live } from '../../gallery/live';
import type { Core } from './core';
import { createStates } from './states';

function setUp() {
  const value = live<unknown>('first');
  let opened = 0;
  const core = {
    stream: (_name: string, _input: unknown, { signal }: { signal: AbortSignal }) => {
      opened++;
      return value.follow(signal);
    },
  } as unknown as Core;
  const states = createStates(core);
  return {
    value,
    state: states.follow('health.report', {}),
    again: states.follow('health.report', {}),
    opened: () => opened,
  };
}

const nextChange = (subscribe: (changed: () => void) => () => void) =>
  new Promise<void>((resolve) => {
    const leave = subscribe(() => {
      leave();
      resolve();
    });
  });

test('everybody who looks at a state shares one stream', async () => {
  const { state, again, opened } = setUp();
  const stay = state.subscribe(() => undefined);
  await nextChange(again.subscribe);
  expect(state.read().item).toBe('first');
  expect(again.read()).toBe(state.read());
  expect(opened()).toBe(1);
  stay();
});

test('a state shows its newest item', async () => {
  const { value, state } = setUp();
  await nextChange(state.subscribe);
  const changed = nextChange(state.subscribe);
  value.set('second');
  await changed;
  expect(state.read().item).toBe('second');
});

test('a stream that fails says why and is opened again by the next who looks', async () => {
  let opened = 0;
  const broken = new Error('broken');
  const core = {
    // biome-ignore lint/correctness/useYield: it fails before its first item.
    async *stream() {
      opened++;
      throw broken;
    },
  } as unknown as Core;
  const state = createStates(core).follow('health.report', {});
  await nextChange(state.subscribe);
  expect(state.read()).toEqual({ item: undefined, error: broken });
  await nextChange(state.subscribe);
  expect(opened).toBe(2);
});

test('a stream that fails for good is asked for less and less often while somebody looks, and no more once nobody does', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let opened = 0;
  const core = {
    // biome-ignore lint/correctness/useYield: it fails before its first item.
    async *stream() {
      opened++;
      throw new Error('broken');
    },
  } as unknown as Core;
  const picture = createStates(core).follow('health.report', {});
  const leave = picture.subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(2_900);
  expect(opened).toBe(1);
  // After 3, 9, 21 and 45 seconds.
  await vi.advanceTimersByTimeAsync(60_000);
  expect(opened).toBe(5);
  // Then once a minute.
  await vi.advanceTimersByTimeAsync(600_000);
  expect(opened).toBe(15);
  leave();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(opened).toBe(15);
});
