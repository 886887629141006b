import type { LimitsUsed } from '../../../contract/tools';
import { cancelled, createObservable, type Observable } from '../../foundation';

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

/**
 * Both numbers are read at every use, so that a changed setting holds for the next call. −1 calls: no limit. One closure, since places and
 * counts are shown as one state.
 */
export function createLimits(current: {
  overall(): number;
  ofServer(serverId: string): number | null;
  callsPerNote(): number;
}): Limits {
  const inside = new Map<string, number>();
  const counts = new Map<string, number>();
  let total = 0;
  let queue: { serverId: string; admit: () => void }[] = [];
  const present = (): LimitsUsed => ({
    running: total,
    waiting: queue.length,
    atOnce: current.overall(),
    callsPerNote: current.callsPerNote(),
    notes: [...counts].map(([path, calls]) => ({ path, calls })),
  });
  const used = createObservable(present());
  const show = () => used.set(present());

  function hasRoom(serverId: string): boolean {
    const ofServer = current.ofServer(serverId);
    return (
      total < current.overall() && (ofServer === null || (inside.get(serverId) ?? 0) < Math.max(1, ofServer))
    );
  }

  function review(): void {
    const waiting: typeof queue = [];
    for (const entry of queue) {
      if (!hasRoom(entry.serverId)) {
        waiting.push(entry);
        continue;
      }
      total++;
      inside.set(entry.serverId, (inside.get(entry.serverId) ?? 0) + 1);
      entry.admit();
    }
    queue = waiting;
    show();
  }

  function leave(serverId: string): void {
    total--;
    inside.set(serverId, (inside.get(serverId) ?? 1) - 1);
    review();
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
        const entry = {
          serverId,
          admit() {
            signal.removeEventListener('abort', onAbort);
            let isOut = false;
            resolve(() => {
              if (!isOut) leave(serverId);
              isOut = true;
            });
          },
        };
        signal.addEventListener('abort', onAbort, { once: true });
        queue.push(entry);
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
