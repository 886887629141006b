import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Where something at the path lies, or would, without links on the way. Null: nobody can tell, since a link leads nowhere. */
export function realPlace(absolute: string): string | null {
  try {
    return realpathSync.native(absolute);
  } catch {
    const above = dirname(absolute);
    if (above === absolute || isThere(absolute)) return null;
    const place = realPlace(above);
    return place === null ? null : join(place, basename(absolute));
  }
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
