import type { NoteUpdate } from '../../../../contract/notes';

/** Whoever composes for longer gets what has come all the same. */
export const longestHoldMs = 300_000;

type Hold = (updates: readonly NoteUpdate[]) => boolean;

/** Whether what others wrote waits: as `isDisturbing` says, but for a limited time at a stretch. */
export function createArrivalHold(isDisturbing: Hold): Hold {
  let since: number | null = null;
  return (updates) => {
    if (!isDisturbing(updates)) {
      since = null;
      return false;
    }
    since ??= performance.now();
    return performance.now() - since < longestHoldMs;
  };
}
