import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isTemporaryName, removeOldTemporary } from '../../../files';
import { ownFolder } from '../records/own-path';
import type { LeftOut } from './left-out';

/** Milliseconds; whatever is written takes less. */
const day = 24 * 60 * 60 * 1000;

/** What a process that was killed while it wrote left beside the notes; `longAgo`: only what nobody can be writing still. */
export function removeLeftBehind(leftOut: readonly LeftOut[], longAgo = false): void {
  for (const { path, place, kind, isStored } of leftOut) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const isOurs = kind === 'file' || kind === 'link';
    if (isOurs && !isStored && isTemporaryName(name)) removeOldTemporary(place, longAgo ? day : undefined);
  }
}

/** The same, long ago, beside the records: they lie in what is left out as a whole. */
export function removeLeftByRecords(root: string): void {
  const folder = join(root, ownFolder);
  try {
    // What a link leads to is somebody else's.
    if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
    for (const name of readdirSync(folder)) {
      if (isTemporaryName(name)) removeOldTemporary(join(folder, name), day);
    }
  } catch {
    // Nobody may read it: whoever needs a record says so.
  }
}
