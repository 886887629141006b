import { type FSWatcher, watch } from 'node:fs';
import { basename, join, sep } from 'node:path';

export interface Watch {
  enter(folder: string): void;
  leave(folder: string): void;
  /** Paths that changed since the last call; unknown: any may have. */
  take(): readonly string[] | 'unknown';
  /** Every watch ends: the folders may be others by now. They are entered again when they are read. */
  renew(): void;
  close(): void;
}

/** Linux watches each folder by itself; the others watch a whole tree at once. */
const wholeTree = process.platform === 'darwin' || process.platform === 'win32';

export function isHidden(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules';
}

/** Hears of changes in the folders that were entered. Keeps no process alive. */
export function createWatch({ root, onEvent }: { root: string; onEvent: () => void }): Watch {
  const watchers = new Map<string, FSWatcher>();
  let changed = new Set<string>();
  // Until the first reading nothing is known; where watching fails, nothing ever is.
  let unknown = true;
  let broken = false;

  function hear(folder: string, name: string | null): void {
    if (name === null) unknown = true;
    else {
      // A watched folder that goes away says so under its own name, and is watched no more.
      if (folder === '' && name === basename(root)) renew();
      const segments = name.split(wholeTree ? sep : '/');
      if (segments.some(isHidden)) return;
      const path = segments.join('/');
      changed.add(folder === '' ? path : `${folder}/${path}`);
    }
    onEvent();
  }

  function enter(folder: string): void {
    if (broken || watchers.has(folder) || (wholeTree && folder !== '')) return;
    try {
      const watcher = watch(
        join(root, ...folder.split('/')),
        { recursive: wholeTree, persistent: false },
        (_, name) => hear(folder, name),
      );
      watcher.on('error', () => {
        unknown = true;
        leave(folder);
      });
      watchers.set(folder, watcher);
    } catch {
      // Too many watches: from now on every look at the vault is a look at the disk.
      broken = true;
      close();
    }
  }

  function leave(folder: string): void {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  }

  function renew(): void {
    unknown = true;
    close();
  }

  function close(): void {
    for (const folder of [...watchers.keys()]) leave(folder);
  }

  return {
    enter,
    leave,
    take: () => {
      const answer = unknown || broken ? 'unknown' : [...changed];
      changed = new Set();
      unknown = false;
      return answer;
    },
    renew,
    close,
  };
}
