import { lstatSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Whether a note can be made there. */
export function isFree(place: string): boolean {
  if (isThere(place)) return false;
  let folder = dirname(place);
  while (!isThere(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Also as a link that leads nowhere; what is below a file is not. */
function isThere(place: string): boolean {
  try {
    return lstatSync(place, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return false;
    throw error;
  }
}
