import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileMark } from './durable-write';
import { atOnce, ordinary } from './read-file';

/** Adds to a file of the app's own, for its owner alone, and returns when it is on disk. Errors are Node's own. */
export async function appendDurably(path: string, data: string): Promise<FileMark> {
  const { O_APPEND, O_CREAT, O_WRONLY } = constants;
  const handle = await open(path, O_WRONLY | O_APPEND | O_CREAT | atOnce, 0o600);
  try {
    ordinary(await handle.stat(), path);
    await handle.writeFile(data);
    await handle.datasync();
    const { size, mtimeMs, ino, birthtimeMs } = await handle.stat();
    return { size, mtimeMs, ino, birthtimeMs };
  } finally {
    await handle.close();
  }
}
