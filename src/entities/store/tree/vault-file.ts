import { realpathSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isHiddenPath, isWithin, safeSegments } from '../../../files';

export interface VaultFile {
  /** Relative to the vault, with forward slashes. */
  readonly path: string;
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
  /** With size and time: tells whether the file is another one than before. */
  readonly ino: number;
  /** A symbolic link: another name for a file of the vault. */
  readonly isLink: boolean;
}

/** Looks at a file. Null for what can't be shown: gone meanwhile, a link that leads outside or to a folder, a name no path may have. */
export function createFileLook(root: string): (path: string, isLink: boolean) => VaultFile | null {
  let realRoot: string | undefined;
  return (path, isLink) => {
    try {
      const place = join(root, ...safeSegments(path));
      realRoot ??= realpathSync(root);
      if (isLink) {
        const real = realpathSync(place);
        if (!isWithin(realRoot, real) || isHiddenPath(relative(realRoot, real))) return null;
      }
      const stats = statSync(place);
      return stats.isFile()
        ? { path, size: stats.size, modified: stats.mtimeMs, ino: stats.ino, isLink }
        : null;
    } catch {
      return null;
    }
  };
}
