import { dirname } from 'node:path';
import { makeSharedFile, makeSharedFolder, type RootFolder, vaultLock, whileLocked } from '../../files';
import { ToolFailure } from '../failures';
import type { Records } from './own-records';

export type Lock = <T>(work: () => Promise<T>) => Promise<T>;

const longestWait = 10_000;

/** Runs work alone, in this process and among all that use the same file. */
export function createLock({ records, home }: { records: Records; home: RootFolder }): Lock {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(() => locked(records, home, work));
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
