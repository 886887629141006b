import { setTimeout as wait } from 'node:timers/promises';
import { type RootFolder, rootFolder } from '../../../files';
import { rest } from './at-rest';
import { type ChangeListener, createKnownFiles, settled } from './known-files';
import { removeLeftBehind, removeLeftByRecords } from './left-behind';
import { createLeftOut, type LeftOut } from './left-out';
import { createUnrested } from './unrested';
import type { VaultFile } from './vault-file';
import { createWatch } from './watch';

/**
 * The files of a vault, in memory and in step with the disk: events say what changed, and sweeps find what events did
 * not tell. A file that is just being saved in place stays as it was known. Hidden files and folders are no part of it: they hold settings, some of which run programs.
 */
export interface Tree {
  /** Sorted by path. */
  files(): readonly VaultFile[];
  get(path: string): VaultFile | undefined;
  /** All else in the vault's folder, as of the last look into the folders. */
  leftOut(): readonly LeftOut[];
  /** Catches up with the disk. `folders`: looks for new and gone files even where no event told of any. */
  refresh(how?: 'events' | 'folders'): Promise<void>;
  /** Says that a file holds less than is told of it here: the next catching up looks at it again. */
  lookAgain(path: string): void;
  /** In the same tick as a file was written or removed here: nobody else can have emptied it yet. */
  lookNow(path: string): void;
  onChange(listener: ChangeListener): void;
  /** Whether the whole vault was read once. */
  isRead(): boolean;
  /** From now on changes are looked for by themselves, soon after each event. */
  follow(): void;
  close(): void;
}

const sweepEvery = 10_000;
const gather = 30;
/** Somebody may write all the time. */
const longestWait = 300;

/** Longer than most: it only joins events, sweeps and waiting, in an order that matters. */
export function createTree({ root, home = rootFolder(root) }: { root: string; home?: RootFolder }): Tree {
  const listeners: ChangeListener[] = [];
  let sorted: readonly VaultFile[] | null = null;
  let swept = Number.NEGATIVE_INFINITY;
  let following = false;
  let timer: NodeJS.Timeout | undefined;
  let leftOut: readonly LeftOut[] = [];
  const watch = createWatch({
    root,
    onEvent: () => refreshSoon(gather),
  });
  const unrested = createUnrested({ isFirst: () => !isRead() });
  const knownFiles = createKnownFiles({ root, watch, unrested, tell });
  const others = createLeftOut({
    root,
    settled,
    isShown: (path, kind) => (kind === 'folder' ? knownFiles.hasFolder(path) : knownFiles.files.has(path)),
  });

  const isRead = () => swept > 0;

  function refreshSoon(after: number): void {
    if (!following || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      void refresh().catch(() => undefined);
    }, after);
    timer.unref();
  }

  function tell(...[path, what]: Parameters<ChangeListener>): void {
    sorted = null;
    for (const listener of listeners) listener(path, what);
  }

  async function refresh(how: 'events' | 'folders' = 'events'): Promise<void> {
    const most = isRead() ? { each: rest.text, all: longestWait } : { each: rest.empty, all: rest.empty };
    await look(how);
    const until = Date.now() + most.all;
    while (unrested.paths().length > 0) {
      const looked = Date.now();
      home.check();
      for (const path of unrested.paths()) knownFiles.readEntry(path);
      const now = Date.now();
      // Who waits longer is what was emptied: it may have been meant, and till then it is as it was known.
      const soon = unrested.times(
        looked,
        (path) => now + (knownFiles.files.has(path) ? rest.text : most.each),
      );
      if (soon.length === 0 || now > until) break;
      await wait(Math.max(1, Math.min(Math.ceil(Math.max(...soon) - now), rest.text)));
    }
    // Who empties a file and leaves it so tells nobody that it was meant.
    if (unrested.paths().length > 0) refreshSoon(rest.text);
  }

  async function look(how: 'events' | 'folders'): Promise<void> {
    // Lets in the events that wait in this turn of the loop: what was written before a request is seen by it.
    await new Promise((resolve) => setImmediate(resolve));
    // What is not there while the disk is away is not gone.
    if (!home.stands()) watch.renew();
    home.check();
    const changed = watch.take();
    if (changed === 'unknown' || performance.now() - swept > sweepEvery) {
      knownFiles.readAll();
      swept = performance.now();
      if (how === 'folders') lookAtOthers();
      return;
    }
    for (const path of changed) knownFiles.readEntry(path);
    if (how === 'events') return;
    knownFiles.readChangedFolders();
    lookAtOthers();
  }

  function lookAtOthers(): void {
    leftOut = others.look();
    removeLeftBehind(leftOut, true);
    removeLeftByRecords(root);
  }

  return {
    files: () => {
      sorted ??= [...knownFiles.files.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
      return sorted;
    },
    get: (path) => knownFiles.files.get(path),
    leftOut: () => leftOut,
    refresh,
    lookAgain: unrested.lookAgain,
    lookNow: (path) => {
      unrested.isWhole(path);
      knownFiles.readNewFolders(path);
      knownFiles.readEntry(path);
    },
    onChange: (listener) => {
      listeners.push(listener);
    },
    isRead,
    follow: () => {
      following = true;
    },
    close: () => {
      clearTimeout(timer);
      watch.close();
    },
  };
}
