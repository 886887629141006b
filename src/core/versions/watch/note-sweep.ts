import type { Clock, Log } from '../../foundation';
import type { Vault } from '../../vault';
import type { KeptVault } from '../keep/kept-vaults';
import { type Look, ownLook } from './looks';
import { notAsKept } from './not-as-kept';

/** After a vault was opened: until then there is more urgent work. */
const sweepAfterMs = 2_500;
const readTogether = 500;

/** Once for each vault that is opened: every note is known as it is, as far as there is room for it. */
export interface NoteSweep {
  /** Soon, and as if never before. */
  opened(): void;
  /** Now, if it was not yet. */
  sweep(): Promise<void>;
  /** Since then a note that is not known is a new one. */
  isOver(): boolean;
  openedAt(): number;
  close(): void;
}

export function createNoteSweep({
  vault,
  clock,
  log,
  current,
  readNotes,
  largest,
}: {
  vault: Vault;
  clock: Clock;
  log: Log;
  /** Null: nothing is kept now. */
  current: () => KeptVault | null;
  readNotes: (looks: ReadonlyMap<string, Look>) => Promise<void>;
  /** Bytes of notes that are read to begin with. */
  largest: () => number;
}): NoteSweep {
  let cancel: (() => void) | null = null;
  let isOver = false;
  let openedAt = 0;
  let last: { readonly id: string; readonly end: Promise<void> } | null = null;

  /** All notes that are not as they were kept, a part after the other: what is seen meanwhile comes in between. */
  async function sweepNow(): Promise<void> {
    const keptVault = current();
    if (!keptVault || vault.state.get().kind !== 'open') return;
    const list = await keptVault.store.list();
    const own = ownLook(clock.now());
    const paths = notAsKept(vault, list, largest());
    for (let at = 0; at < paths.length && current()?.id === keptVault.id; at += readTogether) {
      const part = paths.slice(at, at + readTogether);
      await readNotes(new Map(part.map((path) => [path, own])));
      // Texts wait for the disk, not in memory.
      await keptVault.queue.settled();
    }
    isOver = true;
  }

  function sweep(): Promise<void> {
    cancel?.();
    cancel = null;
    const keptVault = current();
    if (!keptVault) return Promise.resolve();
    if (last?.id !== keptVault.id) {
      const failed = (error: unknown) => log.warn('notes not read for their versions', { error });
      last = { id: keptVault.id, end: sweepNow().catch(failed) };
    }
    return last.end;
  }

  return {
    opened() {
      cancel?.();
      last = null;
      isOver = false;
      openedAt = clock.now();
      cancel = clock.after(sweepAfterMs, () => void sweep());
    },
    sweep,
    isOver: () => isOver,
    openedAt: () => openedAt,
    close: () => cancel?.(),
  };
}
