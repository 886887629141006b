import type { Clock } from '../../foundation';
import type { DiskChange } from '../../vault';
import type { KeptVault } from '../keep/kept-vaults';
import { isNote } from '../store/note-list';
import { type Change, fileAt, type Look, together } from './looks';

/** Milliseconds without another change of a note, after which notes are read; whatever happens they are after `longestMs`. */
const settleMs = 400;
const longestMs = 2_000;

/** Changes on disk that were seen, until their notes are read. */
export interface WaitingLooks {
  add(change: DiskChange): void;
  isEmpty(): boolean;
  /** All of them; they wait no more. */
  take(): ReadonlyMap<string, Look>;
  /** Who deleted this open note, if it is not there again: told once. */
  takeDeleted(path: string): Look | undefined;
  forgetDeleted(): void;
  close(): void;
}

export function createWaitingLooks({
  clock,
  current,
  isOpen,
  seenNow,
  onDue,
}: {
  clock: Clock;
  /** Null: nothing is kept now. */
  current: () => KeptVault | null;
  isOpen: (path: string) => boolean;
  /** Whose change it is that is seen now. */
  seenNow: (path: string) => Change;
  /** They have waited long enough. */
  onDue: () => void;
}): WaitingLooks {
  let waiting = new Map<string, Look>();
  let waitingSince = 0;
  /** Who deleted open notes: that they are gone is kept when their sessions know it. */
  const deletedOpen = new Map<string, Look>();
  let cancel: (() => void) | null = null;

  return {
    add({ changed, removed }) {
      const keptVault = current();
      const notes = [...changed, ...removed].filter(isNote);
      if (!keptVault || notes.length === 0) return;
      const at = clock.now();
      if (waiting.size === 0) waitingSince = at;
      for (const path of notes) {
        const former = waiting.get(path);
        const look: Look = { ...seenNow(path), at, file: fileAt(keptVault.root, path) };
        waiting.set(path, former ? together(former, look) : look);
        if (look.file === null && isOpen(path)) deletedOpen.set(path, look);
        else deletedOpen.delete(path);
      }
      cancel?.();
      cancel = clock.after(Math.max(0, Math.min(settleMs, waitingSince + longestMs - at)), onDue);
    },
    isEmpty: () => waiting.size === 0,
    take() {
      cancel?.();
      cancel = null;
      const looks = waiting;
      waiting = new Map();
      return looks;
    },
    takeDeleted(path) {
      const look = deletedOpen.get(path);
      deletedOpen.delete(path);
      return look;
    },
    forgetDeleted: () => deletedOpen.clear(),
    close() {
      cancel?.();
      waiting = new Map();
    },
  };
}
