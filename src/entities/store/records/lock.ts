import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeSharedFile, makeSharedFolder, type RootFolder, vaultLock, whileLocked } from '../../../files';
import { ToolFailure } from '../../base/failures';
import type { Records } from './own-records';

export type Lock = <T>(work: () => Promise<T>) => Promise<T>;

/** Milliseconds: a disk may be slow, and whoever asks may be the last of many; a client waits for a minute. */
const longestWait = 30_000;

/**
 * Milliseconds. The lock goes to whoever asks at the right moment, and who has just had it always does: after this long in
 * a row it is left alone for longer than those sleep who wait for it.
 */
const turn = { longest: 250, pause: 25 };

/** Runs work alone, in this process and among all that use the same file. */
export function createLock({ records, home }: { records: Records; home: RootFolder }): Lock {
  let last: Promise<unknown> = Promise.resolve();
  let began = 0;
  let ended = 0;
  const leaveRoom = async () => {
    if (Date.now() - ended < turn.pause) {
      if (Date.now() - began < turn.longest) return;
      await delay(turn.pause);
    }
    began = Date.now();
  };
  return (work) => {
    const next = last.then(async () => {
      await leaveRoom();
      return locked(records, home, work).finally(() => {
        ended = Date.now();
      });
    });
    last = next.catch(() => undefined);
    return next;
  };
}

async function locked<T>(records: Records, home: RootFolder, work: () => Promise<T>): Promise<T> {
  const path = await records.lock();
  home.inside(dirname(path), makeSharedFolder);
  let entered = false;
  try {
    // Others who write to a shared vault meet here, too.
    makeSharedFile(path);
    return await whileLocked(path, longestWait, () => {
      entered = true;
      return work();
    });
  } catch (error) {
    if (entered) throw error;
    if ((error as NodeJS.ErrnoException).code === 'EBUSY') {
      throw new ToolFailure('conflict', 'Another program has been writing to this vault for too long.', {
        hint: 'Try again.',
      });
    }
    throw (
      (await records.lockRefusal()) ??
      new ToolFailure('read_only', `The vault can’t be locked for writing: ${vaultLock} can’t be opened.`, {
        hint: 'Whoever changes a vault has to be allowed to write to its folder .interlinear.',
      })
    );
  }
}
