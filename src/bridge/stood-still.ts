/** Milliseconds. */
const beat = 500;
const standstill = 2_000;

/**
 * Whether this process stood still until just now: it was stopped, or its machine slept. What its clients had sent meanwhile is
 * waiting then. Asked when it is looked at, since a process that wakes may read first and keep its time later.
 */
export function watchStandstill(): { stoodStill(): boolean; close(): void } {
  let last = performance.now();
  let still = false;
  const look = () => {
    const now = performance.now();
    still ||= now - last > standstill;
    last = now;
  };
  const timer = setInterval(look, beat);
  // In Node nothing has to go on for it.
  (timer as { unref?(): void }).unref?.();
  return {
    stoodStill() {
      look();
      const answer = still;
      still = false;
      return answer;
    },
    close: () => clearInterval(timer),
  };
}
