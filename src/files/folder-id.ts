import { type BigIntStats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';

/**
 * Which folder it is, wherever it is moved: another one at its path is another one, and so is a copy. Null: there is none.
 * Where a file system keeps no time of birth the device has to do, and a folder that took a number over is not told apart.
 */
export function folderId(absolute: string): string | null {
  try {
    return idOf(statSync(absolute, { bigint: true }));
  } catch {
    return null;
  }
}

/** The same without holding up anybody: a disk that is away may answer late, or never. */
export async function folderIdInTime(absolute: string): Promise<string | null> {
  return stat(absolute, { bigint: true }).then(idOf, () => null);
}

export function idOf({ dev, ino, birthtimeNs, ...stats }: BigIntStats): string | null {
  if ((stats.mode & kindBits) !== folderBits) return null;
  // The number of a device that is mounted again, or of a share, is another one each time.
  return birthtimeNs > 0n ? `${ino}:${birthtimeNs}` : `${dev}/${ino}`;
}

const kindBits = 0o170000n;
const folderBits = 0o040000n;
