import type { ChangeSet, Text } from '@codemirror/state';

/** One place of a set of changes. */
export interface Hunk {
  readonly from: number;
  readonly to: number;
  readonly insert: Text;
  /** Where the inserted text stands in the text that the changes lead to. */
  readonly fromAfter: number;
  readonly toAfter: number;
}

export interface Change {
  readonly from: number;
  readonly to?: number;
  readonly insert: Text | string;
}

export function hunksOf(changes: ChangeSet): Hunk[] {
  const hunks: Hunk[] = [];
  changes.iterChanges((from, to, fromAfter, toAfter, insert) => {
    hunks.push({ from, to, insert, fromAfter, toAfter });
  });
  return hunks;
}

/** Those that begin or end at it, or have something in common with it; of thousands it takes no longer to find them. */
export function nearTo({ from, to }: Pick<Hunk, 'from' | 'to'>, hunks: readonly Hunk[]): readonly Hunk[] {
  let [low, high] = [0, hunks.length];
  while (low < high) {
    const half = (low + high) >> 1;
    if ((hunks[half]?.to ?? 0) < from) low = half + 1;
    else high = half;
  }
  let end = low;
  while (end < hunks.length && (hunks[end]?.from ?? 0) <= to) end++;
  return hunks.slice(low, end);
}

export const isInsertion = ({ from, to }: Hunk) => from === to;
