import { afterEach, expect, test, vi } from 'vitest';
import { createArrivalHold, longestHoldMs } from './arrival-hold';

afterEach(() => {
  vi.useRealTimers();
});

test('what others wrote waits while it would disturb, for a limited time at a stretch', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  let isDisturbing = true;
  const isHeld = createArrivalHold(() => isDisturbing);
  expect(isHeld([])).toBe(true);
  vi.advanceTimersByTime(longestHoldMs - 1);
  expect(isHeld([])).toBe(true);
  vi.advanceTimersByTime(1);
  expect(isHeld([])).toBe(false);
  isDisturbing = false;
  expect(isHeld([])).toBe(false);
  isDisturbing = true;
  expect(isHeld([])).toBe(true);
});
