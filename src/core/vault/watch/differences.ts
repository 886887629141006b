import { isSame, type Tree } from '../tree/tree';
import { type Found, isShown, look } from '../tree/walk';
import { isSetting } from './settings-watch';
import type { Watcher } from './watch';

/** What is otherwise on disk than in the tree; a path may be in it more than once. */
export interface Differences {
  readonly changed: Found[];
  readonly removed: string[];
  /** Not compared. */
  readonly settings: string[];
}

/** Looks at these paths, in slices of a few milliseconds. */
export function createDifferences({
  root,
  tree,
  watcher,
  walkAndWatch,
  onRoot,
}: {
  root: string;
  tree: Pick<Tree, 'get' | 'under'>;
  watcher: Pick<Watcher, 'forget'>;
  walkAndWatch: (start: string) => Promise<Found[]>;
  /** The folder itself is among them. */
  onRoot: () => void;
}): (paths: readonly string[]) => Promise<Differences> {
  return async (paths) => {
    const changed: Found[] = [];
    const removed: string[] = [];
    const settings: string[] = [];
    let sliceEnd = performance.now() + 8;
    for (const path of paths) {
      if (path === '') {
        // Another folder may stand in the root's place, without watches.
        onRoot();
        continue;
      }
      if (isSetting(path)) {
        settings.push(path);
        continue;
      }
      if (!isShown(path)) continue;
      if (performance.now() > sliceEnd) {
        await new Promise(setImmediate);
        sliceEnd = performance.now() + 8;
      }
      const before = tree.get(path);
      const now = look(root, path);
      if (!now || (before && before.entry.kind !== now.entry.kind)) {
        for (const old of tree.under(path)) removed.push(old);
        if (before?.entry.kind === 'folder') watcher.forget(path);
      }
      if (!now) continue;
      if (now.entry.kind === 'folder') {
        const inside = await walkAndWatch(path);
        const there = new Set(inside.map(({ entry }) => entry.path));
        for (const old of tree.under(path)) if (old !== path && !there.has(old)) removed.push(old);
        for (const item of [now, ...inside]) if (!isSame(tree.get(item.entry.path), item)) changed.push(item);
      } else if (!isSame(before, now)) changed.push(now);
    }
    return { changed, removed, settings };
  };
}
