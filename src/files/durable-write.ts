import { randomBytes } from 'node:crypto';
import { access, constants, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Replaces a file whole: temporary file beside it, written, synced, renamed. `handle.writeFile` loops over short
 * writes, so a full disk is an error (`ENOSPC`) and the old bytes stay. Mode and symbolic links are kept; a file
 * that may not be written is never replaced (`EACCES`, `EROFS`). Errors are Node's own.
 */
export async function durableWrite(path: string, data: string | Uint8Array): Promise<void> {
  const target = await realpath(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return path;
    throw error;
  });
  const before = await stat(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (before) {
    // Root may write anything; the permission bits still say what the owner wants.
    if ((before.mode & 0o222) === 0)
      throw Object.assign(new Error('The file is read-only.'), { code: 'EACCES' });
    await access(target, constants.W_OK);
  }
  // Short and random: a name of 255 bytes leaves no room for a suffix.
  const temporary = join(dirname(target), `.${randomBytes(6).toString('hex')}.tmp`);
  const handle = await open(temporary, 'wx', before ? before.mode & 0o777 : 0o666);
  try {
    try {
      await handle.writeFile(data);
      if (before) await handle.chmod(before.mode & 0o7777);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(target));
}

async function syncFolder(folder: string): Promise<void> {
  // Not possible on Windows, where the rename is durable enough by itself.
  const handle = await open(folder, 'r').catch(() => undefined);
  try {
    await handle?.sync();
  } catch {
    // Some file systems refuse to sync a folder.
  } finally {
    await handle?.close();
  }
}
