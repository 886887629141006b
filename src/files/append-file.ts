import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FileMark } from './durable-write';
import { atOnce, ordinary } from './read-file';
import { syncFolder } from './sync-folder';

/** Adds to a file of the app's own, for its owner alone, and returns when it is on disk. Errors are Node's own. */
export async function appendDurably(path: string, data: string): Promise<FileMark> {
  const { O_APPEND, O_CREAT, O_WRONLY } = constants;
  const handle = await open(path, O_WRONLY | O_APPEND | O_CREAT | atOnce, 0o600);
  try {
    const before = await handle.stat();
    ordinary(before, path);
    await handle.writeFile(data);
    await handle.datasync();
    // It may have been made just now.
    if (before.size === 0) await syncFolder(dirname(path));
    const { size, mtimeMs, ino, birthtimeMs } = await handle.stat();
    return { size, mtimeMs, ino, birthtimeMs };
  } finally {
    await handle.close();
  }
}
