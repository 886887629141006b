import type { NoteSync } from './note-sync';

/** Those who wait until the core has all that was typed here. */
export interface PendingWaits {
  /** `look` is called each time that nothing is pending, until it is removed. */
  add(look: () => void): void;
  remove(look: () => void): void;
  wake(): void;
  /** The session's version once nothing is pending. Rejects with the reason of `signal`. */
  flushed(signal: AbortSignal): Promise<number>;
}

export function createPendingWaits(sync: Pick<NoteSync, 'version' | 'hasPending'>): PendingWaits {
  const looks = new Set<() => void>();
  return {
    add: (look) => void looks.add(look),
    remove: (look) => void looks.delete(look),
    wake() {
      if (!sync.hasPending()) for (const look of [...looks]) look();
    },
    flushed: (signal) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const version = sync.version();
          if (version === null || sync.hasPending()) return;
          leave();
          resolve(version);
        };
        const abort = () => {
          leave();
          reject(signal.reason);
        };
        const leave = () => {
          looks.delete(check);
          signal.removeEventListener('abort', abort);
        };
        looks.add(check);
        signal.addEventListener('abort', abort);
        check();
      }),
  };
}
