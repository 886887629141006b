import { type Change, presentableDiff } from '@codemirror/merge';
import { ChangeSet } from '@codemirror/state';

/** Time alone is no bound: it is not looked at everywhere. */
const bounds = { scanLimit: 1000, timeout: 200 };

/** What differs, by letters, as a person reads it. Of long texts with much that differs all from the first to the last of it. */
export const differences = (before: string, after: string): readonly Change[] =>
  presentableDiff(before, after, bounds);

export function changesBetween(before: string, after: string): ChangeSet {
  return ChangeSet.of(
    differences(before, after).map(({ fromA, toA, fromB, toB }) => ({
      from: fromA,
      to: toA,
      insert: after.slice(fromB, toB),
    })),
    before.length,
    '\n',
  );
}
