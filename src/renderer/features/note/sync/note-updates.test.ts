import { ChangeSet } from '@codemirror/state';
import { expect, test } from 'vitest';
import { diskHand } from '../../../../contract/notes';
import { leadOn, runsOf } from './note-updates';

const update = (clientId: string, length: number, insert = 'x') => ({
  clientId,
  changes: ChangeSet.of({ from: length, insert }, length).toJSON(),
});

test('what another program wrote in a row stands apart from what all others wrote', () => {
  const updates = [update('a', 0), update('b', 1), update(diskHand, 2), update(diskHand, 3), update('a', 4)];
  expect(runsOf(updates).map((run) => run.length)).toEqual([2, 2, 1]);
});

test('changes lead on only from a text of their length, each from the one before it', () => {
  expect(leadOn([update('a', 3), update('b', 4)], 3)).toBe(true);
  expect(leadOn([update('a', 3)], 4)).toBe(false);
  expect(leadOn([update('a', 3), update('b', 3)], 3)).toBe(false);
  expect(leadOn([{ clientId: 'a', changes: 'no changes' }], 3)).toBe(false);
});
