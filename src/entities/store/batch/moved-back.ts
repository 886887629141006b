import { lstatSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeSharedFolder, type RootFolder } from '../../../files';
import type { Document } from './document';
import { isFree } from './free-place';
import type { Journal } from './journal';
import { markOf } from './target';

export type Undone = Journal['files'][number] & {
  /** What is at its place may be another note than the one that was to be moved away from there. */
  readonly isOther?: boolean;
};

/**
 * What was moved goes back as it is, with what somebody wrote into it meanwhile; what is left to undo of it is a
 * change of its text. Where its old place is taken or can't be reached it stays: nothing else has its text.
 */
export function createMovingBack(parts: {
  readonly home: RootFolder;
  readonly locate: (path: string) => Promise<string>;
  readonly find: (path: string) => Promise<Document | null>;
  readonly onWritten: (path: string) => void;
}) {
  const { home, locate, find, onWritten } = parts;

  /** False where somebody made something at the old place, or at the new one: it is theirs. */
  async function goesBack(to: Undone, from: Undone): Promise<boolean> {
    const [place, old] = [await locate(to.path), await locate(from.path)];
    const mark = markOf(old);
    const present = await find(from.path);
    if (present ? present.text !== from.before : !isFree(old)) return false;
    if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() || markOf(old) !== mark) return false;
    if (present) {
      // Whole where it was: of the other only what was written here goes.
      const isSame = realpathSync(place) === realpathSync(old);
      if (isSame || (await find(to.path))?.hash !== to.after) return false;
      rmSync(place, { force: true });
      onWritten(to.path);
      return true;
    }
    home.inside(dirname(old), makeSharedFolder);
    renameSync(place, old);
    onWritten(to.path);
    onWritten(from.path);
    return true;
  }

  return async (
    reachable: readonly Undone[],
    unreachable: readonly Undone[],
  ): Promise<{ files: readonly Undone[]; staying: ReadonlySet<string> }> => {
    const undone = new Map(reachable.map((file) => [file.path, file]));
    const lost = new Set(unreachable.map(({ path }) => path));
    const staying = new Set<string>();
    for (const to of reachable) {
      const old = to.moved_from ?? '';
      const from = undone.get(old);
      if (!from && !lost.has(old)) continue;
      const moved = await find(to.path);
      if (moved && !(from && (await goesBack(to, from)))) {
        staying.add(to.path).add(old);
        undone.delete(to.path);
        undone.delete(old);
      } else if (from && (moved || (await find(old)))) {
        undone.delete(to.path);
        undone.set(old, { ...from, after: to.after, text: to.text, isOther: !moved });
      }
    }
    return { files: [...undone.values()], staying };
  };
}
