import type { Clock } from '../../foundation';

/** When a note is saved: soon after the last change, and not too long after the first. */
export interface SaveTiming {
  readonly isClosed: boolean;
  /** It is to be saved, or looked at, by itself. */
  readonly isSet: boolean;
  /** A change was made: milliseconds until it is due. */
  changed(): number;
  /** Milliseconds until what was changed is due; 0 or less: it is. */
  untilDue(): number;
  wake(ms: number): void;
  /** A save is over, and `isDirty`: what was changed meanwhile is to be saved next. */
  saved(isDirty: boolean): void;
  /** A run writes it: saved more often until the answer is called. */
  beginRun(): () => void;
  close(): void;
}

const quietMs = 500;
const mostMs = 5_000;
const mostInRunMs = 1_000;

export function createSaveTiming(clock: Clock, onTimer: () => void): SaveTiming {
  let runs = 0;
  let firstChange: number | null = null;
  let lastChange = 0;
  let cancelTimer: (() => void) | null = null;
  let isClosed = false;

  function dueAt(): number {
    const latest = (firstChange ?? lastChange) + (runs > 0 ? mostInRunMs : mostMs);
    return Math.min(lastChange + quietMs, latest);
  }

  function wake(ms: number): void {
    cancelTimer?.();
    cancelTimer = isClosed
      ? null
      : clock.after(ms, () => {
          cancelTimer = null;
          onTimer();
        });
  }

  return {
    get isClosed() {
      return isClosed;
    },
    get isSet() {
      return cancelTimer !== null;
    },
    changed() {
      lastChange = clock.now();
      firstChange ??= lastChange;
      return Math.max(0, dueAt() - lastChange);
    },
    untilDue: () => dueAt() - clock.now(),
    wake,
    saved(isDirty) {
      if (isDirty) {
        firstChange = lastChange;
        return;
      }
      firstChange = null;
      cancelTimer?.();
      cancelTimer = null;
    },
    beginRun() {
      runs++;
      return () => {
        runs--;
      };
    },
    close() {
      isClosed = true;
      cancelTimer?.();
    },
  };
}
