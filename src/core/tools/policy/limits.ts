import type { LimitsUsed } from '../../../contract/tools';
import { type Clock, cancelled, createObservable, type Observable } from '../../foundation';

/** How long a call keeps one of the places that all servers share: one that takes longer is its own server's matter. */
const sharedMs = 2_000;

export interface Limits {
  /** Waits for a free place, first come first served. Call the answer to leave it. */
  enter(serverId: string, signal: AbortSignal): Promise<() => void>;
  /** A setting has changed: let in whom it allows now. */
  review(): void;
  /** Counts one more call of a note; false when its limit is reached. */
  count(path: string): boolean;
  counted(path: string): number;
  resetCount(path: string): void;
  readonly used: Observable<LimitsUsed>;
}

interface Waiting {
  readonly serverId: string;
  admit(): void;
}

/**
 * A call has a place of its server until it ends, and a shared one for two seconds at most: whoever does not answer, or asks a person and
 * waits, holds up itself only. All numbers are read at every use, so that a changed setting holds for the next call. −1 calls: no limit.
 * One closure, since places and counts are shown as one state.
 */
export function createLimits(current: {
  clock: Pick<Clock, 'after'>;
  overall(): number;
  /** Null: as many as all together. */
  ofServer(serverId: string): number | null;
  callsPerNote(): number;
}): Limits {
  /** The calls of each server that run. */
  const inside = new Map<string, number>();
  const counts = new Map<string, number>();
  let running = 0;
  let shared = 0;
  let queue: readonly Waiting[] = [];
  const callsOf = (serverId: string) => inside.get(serverId) ?? 0;
  const present = (): LimitsUsed => ({
    running,
    waiting: queue.length,
    atOnce: current.overall(),
    callsPerNote: current.callsPerNote(),
    notes: [...counts].map(([path, calls]) => ({ path, calls })),
  });
  const used = createObservable(present());
  const show = () => used.set(present());

  const hasRoom = ({ serverId }: Waiting) =>
    callsOf(serverId) < Math.max(1, current.ofServer(serverId) ?? current.overall());

  /** Of the servers that have room the one with the fewest calls is first: who calls one again and again is not before the others. */
  function nextOne(): Waiting | undefined {
    if (shared >= current.overall()) return undefined;
    return queue
      .filter(hasRoom)
      .reduce<Waiting | undefined>(
        (first, entry) => (first && callsOf(first.serverId) <= callsOf(entry.serverId) ? first : entry),
        undefined,
      );
  }

  function review(): void {
    for (let entry = nextOne(); entry !== undefined; entry = nextOne()) {
      queue = queue.filter((other) => other !== entry);
      entry.admit();
    }
    show();
  }

  /** Gives how to leave the place. */
  function take(serverId: string): () => void {
    let isShared = true;
    let isOut = false;
    running++;
    shared++;
    inside.set(serverId, callsOf(serverId) + 1);
    const giveBack = () => {
      if (isShared) shared--;
      isShared = false;
    };
    const cancelLimit = current.clock.after(sharedMs, () => {
      giveBack();
      review();
    });
    return () => {
      if (isOut) return;
      isOut = true;
      cancelLimit();
      giveBack();
      running--;
      inside.set(serverId, callsOf(serverId) - 1);
      review();
    };
  }

  return {
    enter(serverId, signal) {
      if (signal.aborted) return Promise.reject(cancelled());
      return new Promise((resolve, reject) => {
        const onAbort = () => {
          queue = queue.filter((other) => other !== entry);
          show();
          reject(cancelled());
        };
        const entry: Waiting = {
          serverId,
          admit() {
            signal.removeEventListener('abort', onAbort);
            resolve(take(serverId));
          },
        };
        signal.addEventListener('abort', onAbort, { once: true });
        queue = [...queue, entry];
        review();
      });
    },
    review,
    count(path) {
      const calls = counts.get(path) ?? 0;
      const most = current.callsPerNote();
      if (most >= 0 && calls >= most) return false;
      counts.set(path, calls + 1);
      show();
      return true;
    },
    counted: (path) => counts.get(path) ?? 0,
    resetCount(path) {
      counts.delete(path);
      show();
    },
    used,
  };
}
