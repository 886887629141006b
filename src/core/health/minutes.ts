import type { Clock } from '../foundation';

const minute = 60_000;
const mostMinutes = 60;

/** Counts what happens in each of the last sixty minutes. */
export interface Minutes {
  count(at: number): void;
  /** One number a minute from the first that counts to now, at most sixty, newest last; empty when all are zero. */
  counts(): number[];
  /** Told when a minute ends while there is something to show; the answer stops it. */
  onPassing(listener: () => void): () => void;
}

export function createMinutes(clock: Clock): Minutes {
  const counted = new Map<number, number>();
  const listeners = new Set<() => void>();
  let stopTimer: (() => void) | undefined;

  const now = () => Math.floor(clock.now() / minute);

  function forget(): void {
    for (const at of counted.keys()) if (at <= now() - mostMinutes) counted.delete(at);
  }

  function watch(): void {
    if (stopTimer || counted.size === 0 || listeners.size === 0) return;
    stopTimer = clock.after(minute - (clock.now() % minute), () => {
      stopTimer = undefined;
      forget();
      for (const listener of listeners) listener();
      watch();
    });
  }

  return {
    count(at) {
      const then = Math.floor(at / minute);
      counted.set(then, (counted.get(then) ?? 0) + 1);
      watch();
    },
    counts() {
      forget();
      if (counted.size === 0) return [];
      const first = Math.min(...counted.keys());
      return Array.from({ length: now() - first + 1 }, (_, i) => counted.get(first + i) ?? 0);
    },
    onPassing(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        stopTimer?.();
        stopTimer = undefined;
      };
    },
  };
}
