import { closeSync, constants, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** What was made, renamed or removed in the folder outlasts a power cut when this resolves; as far as the system can do so. */
export async function syncFolder(folder: string): Promise<void> {
  // Not possible on Windows, where a rename is durable enough by itself.
  const handle = await open(folder, 'r').catch(() => undefined);
  try {
    await handle?.sync();
  } catch {
    // Some file systems refuse to sync a folder.
  } finally {
    await handle?.close();
  }
}

/** The same for what has to be certain at once. */
export function syncFolderNow(folder: string): void {
  let file: number | null = null;
  try {
    file = openSync(folder, constants.O_RDONLY);
    fsyncSync(file);
  } catch {
    // As above.
  } finally {
    if (file !== null) closeSync(file);
  }
}

/** Makes a folder with those above it; what is put into it does not go with it when the power is cut. */
export function makeFolders(path: string, mode?: number): void {
  const first = mkdirSync(path, { recursive: true, ...(mode !== undefined && { mode }) });
  if (first === undefined) return;
  for (let folder = path; folder.length >= first.length; folder = dirname(folder))
    syncFolderNow(dirname(folder));
}
