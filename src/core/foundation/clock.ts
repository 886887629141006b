/** Time, lent by the host so that tests can own it. Milliseconds. */
export interface Clock {
  now(): number;
  /** Calls once after `ms`; the answer cancels it. */
  after(ms: number, work: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, work) {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};
