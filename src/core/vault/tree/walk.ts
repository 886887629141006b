import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { VaultEntry } from '../../../contract/vault';
import { isTemporaryName, isWithin } from '../../../files';

/** An entry with what tells a file from one that took its place within the same moment. */
export interface Found {
  readonly entry: VaultEntry;
  readonly ino: number;
  /** When it was made, in milliseconds: numbers of files that are gone are given again. */
  readonly born: number;
  /** Whose it is and who may write it, as one word. */
  readonly access: string;
}

export interface Walked {
  readonly items: Found[];
  /** Left behind by a process that was killed while it wrote; absolute. */
  readonly temporary: string[];
}

/** The folder of a vault's own settings: watched, but not shown among the entries. */
export const settingsFolder = '.interlinear';

export function isIgnoredName(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules';
}

export function isShown(path: string): boolean {
  return !path.split('/').some(isIgnoredName);
}

export function joinPath(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

export function kindOf(path: string): 'note' | 'file' {
  return /\.(md|markdown)$/i.test(path) ? 'note' : 'file';
}

/** What stands at `path` now; null where nothing does, or nothing that a vault shows. */
export function look(root: string, path: string): Found | null {
  const absolute = join(root, path);
  try {
    const stats = statSync(absolute, { throwIfNoEntry: false });
    if (!stats || !(stats.isFile() || stats.isDirectory())) return null;
    const { size, mtimeMs: modified, ino, birthtimeMs: born, mode, uid, gid } = stats;
    const access = `${mode & 0o777} ${uid} ${gid}`;
    if (stats.isDirectory()) return { entry: { path, kind: 'folder', size: 0, modified }, ino, born, access };
    return { entry: { path, kind: kindOf(path), size, modified }, ino, born, access };
  } catch {
    return null;
  }
}

/**
 * Everything below `start`, in slices of a few milliseconds: synchronous calls are several times faster than
 * promises here. `onFolder` comes before a folder is read, so that a watch set there misses nothing.
 */
export async function walk(
  root: string,
  start: string,
  { onFolder, signal }: { onFolder: (path: string) => void; signal: AbortSignal },
): Promise<Walked> {
  const walked: Walked = { items: [], temporary: [] };
  const realRoot = realpathSync(root);
  const folders = [start];
  let sliceEnd = performance.now() + 8;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    onFolder(folder);
    for (const item of readFolder(root, folder)) {
      if (performance.now() > sliceEnd) {
        await setImmediate();
        if (signal.aborted) return walked;
        sliceEnd = performance.now() + 8;
      }
      if (isTemporaryName(item.name)) walked.temporary.push(join(root, folder, item.name));
      if (isIgnoredName(item.name)) continue;
      const path = joinPath(folder, item.name);
      const result = look(root, path);
      if (!result || (item.isSymbolicLink() && !isLinkedFile(root, realRoot, result))) continue;
      walked.items.push(result);
      if (result.entry.kind === 'folder') folders.push(path);
    }
  }
  return walked;
}

function readFolder(root: string, folder: string): Dirent[] {
  try {
    return readdirSync(join(root, folder), { withFileTypes: true });
  } catch (error) {
    if (folder === '') throw error;
    return [];
  }
}

/** Linked folders are left out: they would show notes twice, or for ever. */
function isLinkedFile(root: string, realRoot: string, { entry }: Found): boolean {
  if (entry.kind === 'folder') return false;
  try {
    return isWithin(realRoot, realpathSync(join(root, entry.path)));
  } catch {
    return false;
  }
}
