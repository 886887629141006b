import type { Clock } from '../async/clock';
import type { Log } from '../secrets/log';
import type { createDatabaseHome } from './database-home';
import type { createDatabaseTroubles } from './database-troubles';
import type { WriteQueue } from './write-queue';

/** Milliseconds. */
const reviewEvery = 250;
const returnEvery = 1_000;

/** When the rows go to another file: away from one that is gone or damaged, and back to one that could not be used. */
export function createDatabaseMoves({
  home,
  troubles,
  queue,
  clock,
  log,
  onReturned,
}: {
  home: ReturnType<typeof createDatabaseHome>;
  troubles: ReturnType<typeof createDatabaseTroubles>;
  queue: () => Pick<WriteQueue, 'retry' | 'forget'>;
  clock: Clock;
  log: Log | undefined;
  onReturned: () => void;
}) {
  let reviewed = clock.now();
  let cancelReturn: (() => void) | null = null;

  async function leave(isDamaged: boolean): Promise<void> {
    if (home.state !== 'file') return;
    try {
      const { keptAs } = await home.moveOn({ isDamaged });
      log?.warn('database made anew', { isDamaged, keptAs });
      if (isDamaged) troubles.tell({ state: 'damaged', keptAs });
      queue().retry();
    } catch (error) {
      log?.warn('database not made anew', { error });
      troubles.waiting(error);
    }
  }

  function review(): void {
    reviewed = clock.now();
    if (home.isGone()) void leave(false);
  }

  function moveBack(): void {
    cancelReturn = null;
    if (home.state !== 'away') return;
    try {
      if (home.moveBack().isNew) queue().forget();
    } catch {
      awaitReturn();
      return;
    }
    troubles.over();
    queue().retry();
    onReturned();
  }

  function awaitReturn(): void {
    if (home.state === 'away') cancelReturn ??= clock.after(returnEvery, moveBack);
  }

  return {
    /** The file is broken. */
    damaged: () => void leave(true),
    review,
    reviewSometimes() {
      if (clock.now() - reviewed >= reviewEvery) review();
    },
    awaitReturn,
    close: () => cancelReturn?.(),
  };
}
