import type { WaitingRetry } from '../../contract/chat';
import { isUnder, movedPath } from '../../contract/paths';
import type { Database } from '../foundation';

/** Which failed answers are to be tried again, by the vault that they stand in. */
export interface RetryWishes {
  /** The next one first. */
  of(vault: string): WaitingRetry[];
  put(vault: string, wish: WaitingRetry): void;
  drop(vault: string, wish: WaitingRetry): void;
  /** False where another app has taken it. */
  take(vault: string, wish: WaitingRetry): Promise<boolean>;
  /** A note or a folder has another path by now. */
  renamed(vault: string, from: string, to: string): void;
}

export function createRetryWishes(database: Database): RetryWishes {
  const rows = database.table<{ vault: string; path: string; retry_at: number }>(`
    create table if not exists retries (
      vault text not null, path text not null, retry_at real not null, primary key (vault, path, retry_at)
    ) strict
  `);
  const rowOf = (vault: string, { path, retryAt }: WaitingRetry) => ({ vault, path, retry_at: retryAt });
  const wishes: RetryWishes = {
    of: (vault) =>
      rows
        .all({ vault })
        .map(({ path, retry_at }) => ({ path, retryAt: retry_at }))
        .sort((a, b) => a.retryAt - b.retryAt),
    put: (vault, wish) => void rows.put(rowOf(vault, wish)),
    drop: (vault, wish) => void rows.remove(rowOf(vault, wish)),
    take: (vault, wish) => rows.exchange(rowOf(vault, wish), null),
    renamed(vault, from, to) {
      for (const wish of wishes.of(vault)) {
        if (!isUnder(wish.path, from)) continue;
        wishes.drop(vault, wish);
        wishes.put(vault, { ...wish, path: movedPath(wish.path, from, to) });
      }
    },
  };
  return wishes;
}
