/** Time, given by the host so that tests can own it. Milliseconds. */
export interface Clock {
  now(): number;
  /** Calls once after `ms`; the answer cancels it. */
  after(ms: number, work: () => void): () => void;
}

/** The most a timer of the platform takes; anything longer would be over at once. */
export const longestMs = 2_147_483_647;

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, work) {
    const timer = setTimeout(work, Math.min(ms, longestMs));
    return () => clearTimeout(timer);
  },
};
