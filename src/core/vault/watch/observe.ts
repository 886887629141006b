import { folderIdInTime, type RootFolder, removeOldTemporary } from '../../../files';
import type { Clock, Log } from '../../foundation';
import { createOneAtATime } from '../../foundation';
import type { Tree } from '../tree/tree';
import { type Found, look, walk } from '../tree/walk';
import { createDifferences } from './differences';
import { createSettingsWatch } from './settings-watch';
import { createWatcher } from './watch';

/** What other programs did, found by watching or by a sweep. */
export interface DiskChange {
  readonly changed: readonly string[];
  /** Those of them that were not known before. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Keeps a tree equal to the disk while a vault is open. */
export interface Observer {
  /** Walks and begins to watch; tells what is new against the tree. Throws what reading the root throws. */
  start(): Promise<DiskChange>;
  /** Compares the whole folder with what is known. */
  sweep(): Promise<void>;
  /** Changes by the app itself: in the tree at once, so that their events find nothing new. */
  noteOwn(changed: readonly Found[], removed: readonly string[]): void;
  /** Looks at these paths now. */
  refresh(paths: readonly string[]): Promise<void>;
  close(): void;
}

/** While the system can't watch all, or said that it lost events. */
const troubledSweepMs = 10_000;
/** No event tells that a folder above was renamed, or another disk mounted over it. */
const rootLookMs = 3_000;

/** One closure, since looks, sweeps and what the app itself does change one tree in one order. */
export function createObserver({
  home,
  tree,
  log,
  clock,
  recursive,
  onDiskChange,
  onRootGone,
}: {
  home: RootFolder;
  tree: Tree;
  log: Log;
  clock: Clock;
  recursive: boolean;
  onDiskChange: (change: DiskChange) => void;
  onRootGone: () => void;
}): Observer {
  const root = home.path;
  const ending = new AbortController();
  const { signal } = ending;
  const inOrder = createOneAtATime();
  let warned = false;
  let lastSweep = 0;
  let cancelSweep: (() => void) | null = null;

  const watcher = createWatcher({
    root,
    recursive,
    clock,
    onDirty: (paths) => void refresh(paths),
    onTrouble(reason) {
      if (!warned) log.warn('watching the vault is not complete', { reason });
      warned = true;
      sweepSoon();
    },
  });

  const settingsWatch = createSettingsWatch(root, recursive, watcher);
  const differences = createDifferences({
    ...{ root, tree, watcher, walkAndWatch },
    onRoot: () => void sweep(),
  });

  function sweepSoon(): void {
    const wait = Math.max(200, lastSweep + troubledSweepMs - clock.now());
    cancelSweep ??= clock.after(wait, () => {
      cancelSweep = null;
      void sweep();
    });
  }

  let cancelRootLook: () => void = () => undefined;

  function lookAtRoot(): void {
    cancelRootLook = clock.after(rootLookMs, () => {
      void folderIdInTime(root).then((now) => {
        if (signal.aborted) return;
        if (now !== home.id) onRootGone();
        else lookAtRoot();
      });
    });
  }

  async function walkAndWatch(start: string): Promise<Found[]> {
    const { items, temporary } = await walk(root, start, { onFolder: watcher.watch, signal });
    for (const path of temporary) removeOldTemporary(path);
    return items;
  }

  function report(change: DiskChange): void {
    if (!signal.aborted && change.changed.length + change.removed.length > 0) onDiskChange(change);
  }

  async function lookAgain(paths: readonly string[]): Promise<void> {
    if (signal.aborted) return;
    if (!home.stands()) return onRootGone();
    const { changed, removed, settings } = await differences(paths);
    if (signal.aborted) return;
    // What went while it was looked at is not gone: the disk is.
    if (!home.stands()) return onRootGone();
    if (settings.length > 0) settingsWatch.watch();
    // A folder and what is in it may both be in one batch.
    const gone = [...new Set(removed)].filter((path) => tree.get(path) !== undefined);
    const news = [...new Map(changed.map((item) => [item.entry.path, item])).values()];
    const back = new Set(news.map(({ entry }) => entry.path));
    const added = [...back].filter((path) => tree.get(path) === undefined);
    tree.apply(news, gone);
    const anew = settings.filter(settingsWatch.isAnother);
    report({
      changed: [...back, ...anew.filter((path) => look(root, path))],
      added,
      removed: [...gone.filter((path) => !back.has(path)), ...anew.filter((path) => !look(root, path))],
    });
  }

  async function sweepNow(): Promise<void> {
    if (signal.aborted) return;
    if (!home.stands()) return onRootGone();
    let items: Found[];
    try {
      items = await walkAndWatch('');
    } catch (error) {
      log.warn('sweep failed', { error });
      return home.stands() ? undefined : onRootGone();
    }
    if (signal.aborted) return;
    if (!home.stands()) return onRootGone();
    settingsWatch.watch();
    lastSweep = clock.now();
    report(tree.replaceAll(items));
  }

  const refresh = (paths: readonly string[]) => inOrder('disk', () => lookAgain(paths));
  let nextSweep: Promise<void> | null = null;
  /** One that has not begun yet serves all who ask. */
  const sweep = () => {
    nextSweep ??= inOrder('disk', () => {
      nextSweep = null;
      return sweepNow();
    });
    return nextSweep;
  };

  return {
    start: () =>
      inOrder('disk', async () => {
        const items = await walkAndWatch('');
        home.check();
        const change = tree.replaceAll(items);
        settingsWatch.watch();
        lookAtRoot();
        return change;
      }),
    sweep,
    refresh,
    noteOwn(changed, removed) {
      for (const path of removed) if (tree.get(path)?.entry.kind === 'folder') watcher.forget(path);
      for (const { entry } of changed) if (entry.kind === 'folder') watcher.watch(entry.path);
      tree.apply(changed, removed);
    },
    close() {
      ending.abort();
      cancelSweep?.();
      cancelRootLook();
      watcher.close();
    },
  };
}
