import { type Log, within } from '../foundation';

/** A disk that does not answer costs versions, nothing else. */
export interface Deadlines {
  /** Resolves when it has ended, well or not, and at the latest after a while. */
  inTime(work: Promise<unknown>): Promise<unknown>;
  /** As `inTime`, and the app waits for it when it closes: what it finds damaged is told before the app is gone. */
  whenClosing(work: Promise<unknown>): void;
  /** All that the app waits for. */
  ended(): Promise<unknown>;
}

export function createDeadlines(log: Log, longestWait: number): Deadlines {
  const ending = new Set<Promise<unknown>>();

  const inTime = (work: Promise<unknown>) =>
    within(
      work.catch((error: unknown) => log.warn('versions not kept in time', { error })),
      longestWait,
    );

  return {
    inTime,
    whenClosing(work) {
      const ended = inTime(work).finally(() => ending.delete(ended));
      ending.add(ended);
    },
    ended: () => Promise.all(ending),
  };
}
