import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../foundation';

/** Versions of vaults in which nothing was kept for as long as any version may stay. */
export function removeAbandoned(dataFolder: string, current: string, olderThan: number, log: Log): void {
  const all = join(dataFolder, 'versions');
  for (const name of namesIn(all)) {
    const folder = join(all, name);
    if (folder === current || !/^[0-9a-f]{16}$/.test(name)) continue;
    const index = statSync(join(folder, 'index.log'), { throwIfNoEntry: false });
    if (!index || index.mtimeMs > olderThan) continue;
    log.info('versions of a vault removed that was not opened for long', { folder });
    rmSync(folder, { recursive: true, force: true });
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
