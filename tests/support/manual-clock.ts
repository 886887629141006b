import type { Clock } from '../../src/core/foundation';

/** A clock that a test moves; what is due runs in order of time. */
export function createManualClock(
  start = 1_700_000_000_000,
): Clock & { advance(ms: number): void; pending(): number } {
  let now = start;
  let timers: { at: number; work: () => void }[] = [];
  return {
    now: () => now,
    after(ms, work) {
      const timer = { at: now + ms, work };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    advance(ms) {
      const until = now + ms;
      for (;;) {
        const next = timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
        if (!next) break;
        timers = timers.filter((timer) => timer !== next);
        now = Math.max(now, next.at);
        next.work();
      }
      now = until;
    },
    pending: () => timers.length,
  };
}
