import { isAppError } from '../../../contract/errors';
import type { SaveState } from '../../../contract/notes';
import type { Clock } from '../../foundation';
import type { Session } from '../session/session';
import type { SaveProgress } from './save-progress';
import type { SaveTiming } from './save-timing';
import type { DiskTaker, FollowMoved } from './take-disk';

/** Brings the session up to what is on the disk, with the patience that other programs need. */
export interface CatchUp {
  /** True: the disk's text is in the session; false: another program is still writing it. Throws what reading throws. */
  take(options?: { isSame: boolean }): Promise<boolean>;
  /** The same once more where the note was not there; null: it is gone, and was not moved. Throws what else it was. */
  takeElsewhere(error: unknown): Promise<boolean | null>;
  /** What is said of a note that is gone; null: it is at another path now, and so is the session. */
  goneOrMoved(): Promise<SaveState | null>;
}

/** Programs that save by removing and renaming leave a short gap. */
const gapMs = 150;
/** How long whoever saves or looks waits for another program that is just writing; it is tried again by itself. */
const waitMs = 3_000;
const closingWaitMs = 500;
/** How often the file is looked at meanwhile. */
const lookMs = 100;

export function createCatchUp({
  session,
  taker,
  timing,
  progress,
  isGone,
  followMoved,
  clock,
}: {
  session: Session;
  taker: DiskTaker;
  timing: SaveTiming;
  progress: SaveProgress;
  isGone: (error: unknown) => boolean;
  followMoved: FollowMoved;
  clock: Clock;
}): CatchUp {
  const pause = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve));

  async function goneOrMoved(): Promise<SaveState | null> {
    const moved = await followMoved();
    if (moved === true) return null;
    return progress.deleted(moved === false ? undefined : moved.elsewhere);
  }

  async function take({ isSame } = { isSame: false }): Promise<boolean> {
    const began = clock.now();
    for (;;) {
      if (timing.isClosed) return true;
      const result = await taker.take({ isSame });
      progress.isWaiting = false;
      if (result.kind !== 'waiting') return true;
      const longest = session.life === 'open' ? waitMs : closingWaitMs;
      if (clock.now() - began + result.ms > longest) {
        progress.waitFor(result.ms);
        return false;
      }
      await pause(Math.min(result.ms, lookMs));
    }
  }

  return {
    take,
    goneOrMoved,
    async takeElsewhere(error) {
      if (!isAppError(error, 'vault.not-found')) throw error;
      await pause(gapMs);
      try {
        return await take();
      } catch (again) {
        if (!isGone(again)) throw again;
        return (await goneOrMoved()) === null ? take({ isSame: true }) : null;
      }
    },
  };
}
