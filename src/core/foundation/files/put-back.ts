import { existsSync } from 'node:fs';
import { preparePrivateFolder } from '../../../files';
import type { Log } from '../secrets/log';

/** What is written again into a data folder that was made anew, by those whose it is. */
export interface PutBack {
  /** Returns what ends this. */
  add(putBack: () => void): () => void;
  /** Another folder is there: all have to write again. */
  begin(): void;
  /** Whether some have not written again yet. */
  isWaiting(): boolean;
  /** Those that throw wait for the next time. */
  run(): void;
}

export function createPutBack(folder: string, log: Log): PutBack {
  const owners = new Set<() => void>();
  const waiting = new Set<() => void>();
  let isFailing = false;
  /** To others: the folder that is there now. */
  let isClosed = true;

  return {
    add(putBack) {
      owners.add(putBack);
      return () => {
        owners.delete(putBack);
        waiting.delete(putBack);
      };
    },
    begin() {
      for (const putBack of owners) waiting.add(putBack);
      isClosed = false;
    },
    isWaiting: () => waiting.size > 0,
    run() {
      const failures: unknown[] = [];
      try {
        if (!isClosed || !existsSync(folder)) preparePrivateFolder(folder);
        isClosed = true;
        for (const putBack of waiting) {
          try {
            putBack();
            waiting.delete(putBack);
          } catch (error) {
            failures.push(error);
          }
        }
      } catch (error) {
        failures.push(error);
      }
      if (failures.length > 0 && !isFailing) log.warn('data folder not made anew as a whole', { failures });
      isFailing = failures.length > 0;
    },
  };
}
