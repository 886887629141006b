import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { type FileMark, fileId } from '../../../files';
import type { Clock } from '../../foundation';

/** What another program wrote into a file that a save had replaced by then. */
export interface LateWrite {
  /** Where it stood. */
  readonly path: string;
  /** Which file it is. */
  readonly file: string;
  readonly bytes: Uint8Array;
}

/**
 * A program that has a note open while it is saved here goes on writing into the old file, which has no name any more. So
 * each is held for a while and looked at.
 */
export interface ReplacedFiles {
  /** Opens the file that is about to be replaced; what is returned is to be called once it was, or was not. */
  hold(absolute: string, path: string): (mark: FileMark | null) => void;
  close(): void;
}

interface Replaced {
  readonly descriptor: number;
  readonly path: string;
  readonly until: number;
  mark: FileMark;
  isWritten: boolean;
}

const heldMs = 5_000;
const lookEveryMs = 250;
/** Their room on the disk is free only once they are let go. */
const mostHeldBytes = 8 * 1024 * 1024;

export function createReplacedFiles(clock: Clock, onLateWrite: (late: LateWrite) => void): ReplacedFiles {
  const pending = new Set<Replaced>();
  let cancel: (() => void) | null = null;

  const heldBytes = () => [...pending].reduce((sum, { mark }) => sum + mark.size, 0);

  function drop(replaced: Replaced): void {
    pending.delete(replaced);
    closeSync(replaced.descriptor);
  }

  /** Who has begun to write is read once it rests. */
  function lookAt(replaced: Replaced): void {
    const { size, mtimeMs } = fstatSync(replaced.descriptor);
    const rests = size === replaced.mark.size && mtimeMs === replaced.mark.mtimeMs;
    replaced.mark = { ...replaced.mark, size, mtimeMs };
    if (!rests) replaced.isWritten = true;
    else if (replaced.isWritten) {
      const { path, mark, descriptor } = replaced;
      onLateWrite({ path, file: fileId(mark), bytes: readFileSync(descriptor) });
      drop(replaced);
    } else if (clock.now() >= replaced.until) drop(replaced);
  }

  function look(): void {
    cancel = null;
    for (const replaced of [...pending]) lookAt(replaced);
    lookLater();
  }

  function lookLater(): void {
    if (pending.size > 0) cancel ??= clock.after(lookEveryMs, look);
  }

  return {
    hold(absolute, path) {
      // Windows does not replace a file that is open.
      if (process.platform === 'win32') return () => undefined;
      let descriptor: number;
      try {
        descriptor = openSync(absolute, 'r');
      } catch {
        return () => undefined;
      }
      return (mark) => {
        if (mark === null) return closeSync(descriptor);
        pending.add({ descriptor, path, mark, until: clock.now() + heldMs, isWritten: false });
        for (const oldest of pending) if (heldBytes() > mostHeldBytes) drop(oldest);
        lookLater();
      };
    },
    close() {
      cancel?.();
      cancel = null;
      for (const replaced of [...pending]) drop(replaced);
    },
  };
}
