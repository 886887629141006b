import { constants } from 'node:fs';
import { access, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { durableWrite, temporaryBeside } from '../files';
import { type Clock, createLifetime, reasonOf, stateOf } from './foundation';

/** What became of the app's data folder while the app runs. */
export type DataFolderState =
  | { readonly kind: 'writable' }
  /** It was deleted, moved, or another one is in its place: what is in memory is written to a new one. */
  | { readonly kind: 'gone' }
  | {
      readonly kind: 'read-only' | 'full' | 'no-permission' | 'busy';
      readonly reason: string;
    };

/** Milliseconds. */
const lookEvery = 1_000;
/** Bytes; with less room than this it is tried whether anything can be written at all. */
const littleRoom = 1024 * 1024;
const probeSize = 4096;

/** Looks at the folder once a second, and tells what is different. Nothing of it is written while there is room. */
export function watchDataFolder({
  folder,
  clock,
  onChange,
}: {
  folder: string;
  clock: Clock;
  onChange: (state: DataFolderState) => void;
}): () => void {
  const life = createLifetime();
  let identity: string | null = null;
  let told: DataFolderState['kind'] = 'writable';
  let cancel = (): void => undefined;

  async function look(): Promise<void> {
    const now = await identityOf(folder);
    const before = identity;
    identity = now ?? identity;
    if (before !== null && now !== before) tell({ kind: 'gone' });
    else tell(await writability(folder));
  }

  function tell(state: DataFolderState): void {
    if (life.signal.aborted || state.kind === told) return;
    told = state.kind;
    onChange(state);
  }

  function next(): void {
    void look()
      .catch(() => undefined)
      .then(() => {
        if (!life.signal.aborted) cancel = clock.after(lookEvery, next);
      });
  }

  next();
  return () => {
    cancel();
    void life.close();
  };
}

async function identityOf(folder: string): Promise<string | null> {
  try {
    const { dev, ino } = await stat(folder, { bigint: true });
    return `${dev}:${ino}`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
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
