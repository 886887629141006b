import { type BigIntStats, constants, statSync, watch } from 'node:fs';
import { access, rm, stat, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { durableWrite, temporaryBeside } from '../../../files';
import type { Clock } from '../async/clock';
import { createLifetime } from '../async/lifetime';
import type { Log } from '../secrets/log';
import { reasonOf, stateOf } from './data-file';
import { createPutBack } from './put-back';

/** What became of the app's data folder while the app runs. */
export type DataFolderState =
  | { readonly kind: 'writable' }
  /** It was deleted, emptied, moved, or another one is in its place: what is in memory is written to the one there. */
  | { readonly kind: 'gone' }
  | {
      readonly kind: 'read-only' | 'full' | 'no-permission' | 'busy';
      readonly reason: string;
    };

export interface DataFolder {
  /**
   * For whatever this process has in the folder that another process or the next start looks for: `putBack` writes it
   * again when the folder is gone. What stands there by then may be a new folder, one that comes back or another app's:
   * `putBack` leaves alone what is there. Where it throws it is called again each second. Returns what ends this.
   */
  whenMadeAnew(putBack: () => void): () => void;
}

/** Milliseconds. */
const lookEvery = 1_000;
/** Before a second app has started, and after whoever puts one folder in the place of another. */
const lookAfterMove = 50;
/** Bytes; with less room than this it is tried whether anything can be written at all. */
const littleRoom = 1024 * 1024;
const probeSize = 4096;

/** Held open, so that its number is nobody else's: other than the folder's, which may be given again at once. */
const lockFile = 'instance.lock';

/** Looks at the folder once a second, and soon after it was moved, and tells what is different. Nothing of it is written while there is room. */
export function watchDataFolder({
  folder,
  clock,
  log,
  onChange,
}: {
  folder: string;
  clock: Clock;
  log: Log;
  onChange: (state: DataFolderState) => void;
}): DataFolder & { close(): void } {
  const life = createLifetime();
  const putBack = createPutBack(folder, log);
  let last: Found | null = null;
  let lastKind: DataFolderState['kind'] = 'writable';
  let cancel = (): void => undefined;
  let isLooking = false;
  /** Since the look began that goes on. */
  let isMoved = false;

  async function look(): Promise<void> {
    const now = await find(folder);
    if (life.signal.aborted) return;
    if (last !== null && isOther(last, now)) {
      lastKind = 'gone';
      onChange({ kind: 'gone' });
      putBack.begin();
    } else if (now.folder !== null) {
      tell(await writability(folder));
    }
    last = now;
    if (putBack.isWaiting() && !life.signal.aborted) {
      putBack.run();
      last = findNow(folder);
    }
  }

  function tell(state: DataFolderState): void {
    if (life.signal.aborted || state.kind === lastKind) return;
    lastKind = state.kind;
    onChange(state);
  }

  function next(): void {
    isLooking = true;
    void look()
      .catch(() => undefined)
      .then(() => {
        isLooking = false;
        later(isMoved ? lookAfterMove : lookEvery);
        isMoved = false;
      });
  }

  function later(ms: number): void {
    cancel();
    if (!life.signal.aborted) cancel = clock.after(ms, next);
  }

  function moved(): void {
    if (isLooking) isMoved = true;
    else later(lookAfterMove);
  }

  life.add(watchAbove(folder, moved));
  next();
  return {
    whenMadeAnew: putBack.add,
    close() {
      cancel();
      void life.close();
    },
  };
}

/** Where that can't be, looking once a second does. */
function watchAbove(folder: string, onMoved: () => void): () => void {
  try {
    const watcher = watch(dirname(folder), { persistent: false }, (_event, name) => {
      if (name === basename(folder)) onMoved();
    });
    watcher.on('error', () => watcher.close());
    return () => watcher.close();
  } catch {
    return () => undefined;
  }
}

/** Which folder is there, and which file in it is the lock. */
interface Found {
  readonly folder: string | null;
  readonly lock: string | null;
}

/** One that was not there before took nothing away. */
const isOther = (before: Found, now: Found) =>
  (before.folder !== null && now.folder !== before.folder) ||
  (before.lock !== null && now.lock !== before.lock);

async function find(folder: string): Promise<Found> {
  const [there, lock] = await Promise.all(
    [folder, join(folder, lockFile)].map((path) =>
      stat(path, { bigint: true }).then(identityOf, (error) => noneOr(error)),
    ),
  );
  return { folder: there ?? null, lock: lock ?? null };
}

function findNow(folder: string): Found {
  const [there, lock] = [folder, join(folder, lockFile)].map((path) => {
    try {
      return identityOf(statSync(path, { bigint: true }));
    } catch (error) {
      return noneOr(error);
    }
  });
  return { folder: there ?? null, lock: lock ?? null };
}

const identityOf = ({ dev, ino, birthtimeNs }: BigIntStats) => `${dev}:${ino}:${birthtimeNs}`;

function noneOr(error: unknown): null {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return null;
  throw error;
}

async function writability(folder: string): Promise<DataFolderState> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize < littleRoom) await probe(folder);
    return { kind: 'writable' };
  } catch (error) {
    const state = stateOf(error);
    // What else keeps a folder from being used is told by whoever uses it.
    if (state === 'damaged' || state === 'newer') return { kind: 'writable' };
    return { kind: state, reason: reasonOf(error) };
  }
}

/** Some disks have room left that is not for everybody. */
async function probe(folder: string): Promise<void> {
  const path = temporaryBeside(join(folder, 'probe'));
  try {
    await durableWrite(path, Buffer.alloc(probeSize), { exclusive: true, private: true });
  } finally {
    await rm(path, { force: true }).catch(() => undefined);
  }
}
