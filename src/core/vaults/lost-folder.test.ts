import { expect, test } from 'vitest';
import { createManualClock } from '../../../tests/support/manual-clock';
import type { VaultState } from '../../contract/vault';
import { createObservable } from '../foundation';
import { followLostFolder } from './lost-folder';

const open = { kind: 'open' } as VaultState;
const lost = { kind: 'lost' } as VaultState;

function followed() {
  const clock = createManualClock();
  const state = createObservable<VaultState>(open);
  const calls: number[] = [];
  followLostFolder({ state }, clock, () => void calls.push(clock.now()));
  return { clock, state, calls };
}

test('a folder that comes back at once is told when it is there again, and not as away', () => {
  const { clock, state, calls } = followed();
  state.set(lost);
  clock.advance(4_999);
  state.set(open);
  expect(calls).toHaveLength(1);
  clock.advance(10_000);
  expect(calls).toHaveLength(1);
});

test('a folder that stays away is told once', () => {
  const { clock, state, calls } = followed();
  state.set(lost);
  state.set({ ...lost });
  clock.advance(5_000);
  clock.advance(60_000);
  expect(calls).toHaveLength(1);
});

test('a vault that is left while its folder is away is not told as come back, nor as away later', () => {
  const { clock, state, calls } = followed();
  state.set(lost);
  state.set({ kind: 'none' });
  clock.advance(60_000);
  expect(calls).toEqual([]);
});
