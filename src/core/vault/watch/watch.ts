import { type FSWatcher, watch } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { isUnder } from '../../../contract/paths';
import type { Clock } from '../../foundation';
import { joinPath } from '../tree/walk';

/** Tells which paths may have changed; what became of them is for the caller to look at. */
export interface Watcher {
  /** Begins with this folder (not with those in it), or anew where it is another one by now. */
  watch(folder: string): void;
  /** Stops with this folder and those in it. */
  forget(folder: string): void;
  close(): void;
}

/** Events come in bursts: a checkout, a rename that is a removal and a creation. */
const batchMs = 5;

/**
 * `recursive` lets the system watch the whole tree (macOS, Windows). Elsewhere it is one watch a folder: Node's
 * recursive mode on Linux is slow and loses events of new folders. `onTrouble`: something may have been missed.
 */
export function createWatcher({
  root,
  recursive,
  clock,
  onDirty,
  onTrouble,
}: {
  root: string;
  recursive: boolean;
  clock: Clock;
  onDirty: (paths: readonly string[]) => void;
  onTrouble: (reason: string) => void;
}): Watcher {
  const watches = new Map<string, FSWatcher>();
  const dirty = new Set<string>();
  let cancelBatch: (() => void) | null = null;
  let closed = false;

  function mark(path: string): void {
    dirty.add(path);
    cancelBatch ??= clock.after(batchMs, () => {
      cancelBatch = null;
      const paths = [...dirty];
      dirty.clear();
      onDirty(paths);
    });
  }

  function stop(folder: string): void {
    const watching = watches.get(folder);
    watches.delete(folder);
    watching?.close();
  }

  return {
    watch(folder) {
      if (closed || (recursive && folder !== '')) return;
      stop(folder);
      const absolute = join(root, folder);
      try {
        const watching = watch(absolute, { recursive, persistent: false }, (_event, name) => {
          if (name === null) return onTrouble('an event without a name');
          // A watched folder that goes away says so under its own name.
          if (!recursive && name === basename(absolute)) mark(folder);
          mark(recursive ? name.split(sep).join('/') : joinPath(folder, name));
        });
        watching.on('error', (error) => {
          stop(folder);
          mark(folder);
          if (!closed) onTrouble(error.message);
        });
        watches.set(folder, watching);
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        if (code !== 'ENOENT' && code !== 'ENOTDIR') onTrouble(message);
      }
    },
    forget(folder) {
      for (const watched of [...watches.keys()]) if (isUnder(watched, folder)) stop(watched);
    },
    close() {
      closed = true;
      cancelBatch?.();
      for (const folder of [...watches.keys()]) stop(folder);
    },
  };
}
