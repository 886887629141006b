import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileId, inodeOf } from '../../files';
import type { Successors } from './files/successors';
import type { Current } from './opened';
import type { Tree } from './tree/tree';
import type { Vault } from './vault';

/** Which file stands where, whoever moved it, and which stands for another by now. */
export type FilePlaces = Pick<Vault, 'fileAt' | 'succeeds' | 'wasElsewhere' | 'isMovedNote' | 'whereIs'>;

export function createFilePlaces(
  current: Current,
  tree: Pick<Tree, 'pathsOf' | 'formerly'>,
  successors: Pick<Successors, 'from'>,
): FilePlaces {
  return {
    fileAt: (path) => current.vault && fileAt(current.vault.root, path),
    succeeds: (file, former) => [...successors.from(former)].includes(file),
    wasElsewhere: (file, path) =>
      [...tree.pathsOf(inodeOf(file)), tree.formerly(file)?.path ?? path].some((other) => other !== path),
    isMovedNote(file, path) {
      const was = tree.formerly(file);
      return (
        was !== null &&
        !was.isNew &&
        was.path !== path &&
        !tree.pathsOf(inodeOf(file)).some((other) => other !== path)
      );
    },
    whereIs(file) {
      if (!current.vault) return null;
      const { root } = current.vault;
      for (const one of successors.from(file)) {
        const path = tree.pathsOf(inodeOf(one)).find((candidate) => fileAt(root, candidate) === one);
        if (path !== undefined) return path;
      }
      return null;
    },
  };
}

/** Null also where it can't be looked at: a path that leads in a circle, or is too long. */
function fileAt(root: string, path: string): string | null {
  try {
    const there = statSync(join(root, path), { throwIfNoEntry: false });
    return there?.isFile() ? fileId(there) : null;
  } catch {
    return null;
  }
}
