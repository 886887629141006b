import { statSync } from 'node:fs';

/**
 * Which folder it is, wherever it is moved: another one at its path is another one, and so is a copy. Null: there is none.
 * Where a file system keeps no time of birth the device has to do, and a folder that took a number over is not told apart.
 */
export function folderId(absolute: string): string | null {
  try {
    const { dev, ino, birthtimeNs, ...stats } = statSync(absolute, { bigint: true });
    if ((stats.mode & kindBits) !== folderBits) return null;
    // The number of a device that is mounted again, or of a share, is another one each time.
    return birthtimeNs > 0n ? `${ino}:${birthtimeNs}` : `${dev}/${ino}`;
  } catch {
    return null;
  }
}

const kindBits = 0o170000n;
const folderBits = 0o040000n;
