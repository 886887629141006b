import { backoff } from '../async/backoff';
import type { Clock } from '../async/clock';
import { isDamage, stateOf } from '../files/data-file';
import type { Log } from '../secrets/log';
import type { Value } from './tables';

/** A statement with its values. */
export type Statement = readonly [text: string, ...values: readonly Value[]];

/** Writes in the order in which they were given, each once; what can't be written now waits, and holds up nobody. */
export interface WriteQueue {
  /** Written when this returns, unless something waits; the answer is how many rows it changed, once it is written. */
  add(write: readonly Statement[]): Promise<number>;
  readonly length: number;
  /** Tries now. */
  retry(): void;
  /** Resolves when nothing waits. */
  empty(): Promise<void>;
  /** What waits is where it belongs. */
  forget(): void;
  /** What waits is lost, and said. */
  close(): void;
}

interface WaitingWrite {
  readonly write: readonly Statement[];
  readonly done: (changes: number) => void;
  readonly failed: (error: unknown) => void;
}

/** Milliseconds. */
const retry = { first: 25, most: 1_000 };
/** How long writing holds up everything else before it makes room. */
const longestTurn = 10;
const mostTogether = 50;
/** Beyond it the oldest is lost, and said. */
const mostWaiting = 20_000;

/** Long, since it is one loop over one list: whatever joins, leaves or fails does so in an order that the loop relies on. */
export function createWriteQueue({
  attempt,
  clock,
  log,
  onWaiting,
  onEmpty,
  onLost,
}: {
  /** In one transaction; how many rows each changed. Throws where that can't be done now or ever. */
  attempt: (writes: readonly (readonly Statement[])[]) => readonly number[];
  clock: Clock;
  log: Log | null;
  /** After each attempt that failed for the state of the file. */
  onWaiting: (error: unknown) => void;
  onEmpty: () => void;
  onLost: () => void;
}): WriteQueue {
  const waiting: WaitingWrite[] = [];
  let attempts = 0;
  /** After one that can never be written was among others, each is tried by itself. */
  let alone = 0;
  let cancelRetry: (() => void) | null = null;
  let whenEmpty = Promise.withResolvers<void>();

  function schedule(ms: number): void {
    cancelRetry?.();
    cancelRetry = clock.after(ms, run);
  }

  function isForEver(error: unknown): boolean {
    return stateOf(error) === 'damaged' && !isDamage(error);
  }

  function later(error: unknown): void {
    attempts++;
    schedule(backoff(attempts, retry, Math.random()));
    onWaiting(error);
  }

  function run(): void {
    cancelRetry?.();
    cancelRetry = null;
    const end = performance.now() + longestTurn;
    while (waiting.length > 0 && performance.now() < end) {
      const batch = waiting.slice(0, alone > 0 ? 1 : mostTogether);
      alone = Math.max(0, alone - 1);
      try {
        const changes = attempt(batch.map(({ write }) => write));
        waiting.splice(0, batch.length);
        for (const [index, { done }] of batch.entries()) done(changes[index] ?? 0);
      } catch (error) {
        if (!isForEver(error)) {
          later(error);
          return;
        }
        if (batch.length > 1) alone = batch.length;
        else fail(waiting.shift(), error);
      }
    }
    if (waiting.length > 0) {
      schedule(0);
      return;
    }
    attempts = 0;
    whenEmpty.resolve();
    onEmpty();
  }

  function fail(write: WaitingWrite | undefined, error: unknown): void {
    log?.error('not written to the database', { statement: write?.write[0]?.[0].slice(0, 80), error });
    write?.failed(error);
  }

  return {
    add(write) {
      const { promise, resolve: done, reject: failed } = Promise.withResolvers<number>();
      // Told by the log.
      promise.catch(() => undefined);
      waiting.push({ write, done, failed });
      if (waiting.length === 1) {
        whenEmpty = Promise.withResolvers<void>();
        run();
      }
      if (waiting.length > mostWaiting) {
        waiting.shift()?.failed(new Error('Too much waits to be written.'));
        onLost();
      }
      return promise;
    },
    get length() {
      return waiting.length;
    },
    retry: () => waiting.length > 0 && run(),
    empty: () => (waiting.length === 0 ? Promise.resolve() : whenEmpty.promise),
    forget() {
      for (const { done } of waiting.splice(0)) done(1);
      whenEmpty.resolve();
    },
    close() {
      cancelRetry?.();
      for (const write of waiting.splice(0)) fail(write, new Error('The app ended before.'));
    },
  };
}
