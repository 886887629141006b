import { type Dirent, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { safeSegments } from '../../../files';
import type { Unrested } from './unrested';
import { createFileLook, type VaultFile } from './vault-file';
import { isHidden, type Watch } from './watch';

/** The files and folders of a vault as they were when each was last looked at. */
export interface KnownFiles {
  /** By path. */
  readonly files: ReadonlyMap<string, VaultFile>;
  hasFolder(path: string): boolean;
  readAll(): void;
  /** The folders whose time says that they have other entries. */
  readChangedFolders(): void;
  /** What lies in a folder that is not known yet is known through the nearest one that is. */
  readNewFolders(path: string): void;
  readEntry(path: string): void;
}

export type ChangeListener = (path: string, what: 'added' | 'changed' | 'removed') => void;

interface Folder {
  /** As of its last reading; null where entries may have changed within the clock's grain. */
  mtime: number | null;
  readonly entries: Map<string, 'file' | 'folder'>;
}

/** Two changes within the grain of a file system's clock can't be told apart by time. */
const grain = 25;

/** Longer than most: folders and files are read through each other, so what reads them is one thing. */
export function createKnownFiles(parts: {
  readonly root: string;
  readonly watch: Pick<Watch, 'enter' | 'leave'>;
  readonly unrested: Unrested;
  readonly tell: ChangeListener;
}): KnownFiles {
  const { root, watch, unrested, tell } = parts;
  const folders = new Map<string, Folder>();
  const all = new Map<string, VaultFile>();
  const look = createFileLook(root);

  function forget(path: string): void {
    unrested.forget(path);
    if (all.delete(path)) tell(path, 'removed');
    const folder = folders.get(path);
    if (!folder) return;
    folders.delete(path);
    watch.leave(path);
    for (const name of folder.entries.keys()) forget(inside(path, name));
  }

  function lookAtFile(path: string, isLink: boolean, always: boolean): boolean {
    const file = look(path, isLink);
    if (!file) return false;
    const before = all.get(path);
    if (!unrested.isBelieved(file, before)) return true;
    const same =
      before?.modified === file.modified &&
      before.size === file.size &&
      before.ino === file.ino &&
      before.isLink === isLink;
    if (same && !always) return true;
    all.set(path, file);
    tell(path, before ? 'changed' : 'added');
    return true;
  }

  /** Names alone are read in a third of the time; mostly an event has told of what is new already. */
  function hasSameNames(folder: Folder, place: string): boolean {
    let count = 0;
    for (const name of readdirSync(place)) {
      if (folder.entries.has(name)) count++;
      else if (!isHidden(name)) return false;
    }
    return count === folder.entries.size;
  }

  /** Reads a folder's entries; `deep` also looks at every file in it and at the folders that are known already. */
  function readFolder(path: string, deep: boolean): void {
    let entries: Dirent[];
    let mtime: number;
    try {
      const place = join(root, ...safeSegments(path));
      mtime = statSync(place).mtimeMs;
      const before = deep ? undefined : folders.get(path);
      if (before && hasSameNames(before, place)) {
        before.mtime = settled(mtime);
        return;
      }
      entries = readdirSync(place, { withFileTypes: true });
    } catch (error) {
      if (path === '') throw error;
      forget(path);
      return;
    }
    let folder = folders.get(path);
    if (!folder) {
      folder = { mtime: null, entries: new Map() };
      folders.set(path, folder);
    }
    // Before the files are looked at, so that no change falls between; again where the watch had ended.
    watch.enter(path);
    folder.mtime = settled(mtime);
    const present = new Set<string>();
    for (const entry of entries) {
      if (isHidden(entry.name) || !mayBeNamed(entry.name)) continue;
      const inner = inside(path, entry.name);
      if (entry.isDirectory()) {
        if (folder.entries.get(entry.name) === 'file') forget(inner);
        present.add(entry.name);
        folder.entries.set(entry.name, 'folder');
        if (deep || !folders.has(inner)) readFolder(inner, deep);
      } else if ((!deep && all.has(inner)) || lookAtFile(inner, entry.isSymbolicLink(), false)) {
        if (folder.entries.get(entry.name) === 'folder') forget(inner);
        present.add(entry.name);
        folder.entries.set(entry.name, 'file');
      }
    }
    for (const name of [...folder.entries.keys()]) {
      if (present.has(name)) continue;
      folder.entries.delete(name);
      forget(inside(path, name));
    }
  }

  function readNewFolders(path: string): void {
    let folder = parentOf(path);
    if (folders.has(folder)) return;
    while (folder !== '' && !folders.has(folder)) folder = parentOf(folder);
    if (folders.has(folder)) readFolder(folder, false);
  }

  function readEntry(path: string): void {
    unrested.looked(path);
    const parent = folders.get(parentOf(path));
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (!parent) return;
    try {
      const place = join(root, ...safeSegments(path));
      if (statSync(place).isDirectory()) {
        // Read through its parent, which tells folders from links to them.
        if (!folders.has(path)) readFolder(parentOf(path), false);
        return;
      }
      if (lookAtFile(path, lstatSync(place).isSymbolicLink(), true)) {
        parent.entries.set(name, 'file');
        return;
      }
    } catch {
      // Gone, or not to be shown.
    }
    parent.entries.delete(name);
    forget(path);
  }

  function readChangedFolders(): void {
    for (const [path, folder] of [...folders]) {
      if (!folders.has(path)) continue;
      const mtime = folder.mtime === null ? null : modifiedOf(join(root, ...path.split('/')));
      if (mtime === null || mtime !== folder.mtime) readFolder(path, false);
    }
  }

  return {
    files: all,
    hasFolder: (path) => folders.has(path),
    readAll: () => readFolder('', true),
    readChangedFolders,
    readNewFolders,
    readEntry,
  };
}

/** Null: entries may have changed since, within the clock's grain. */
export function settled(mtime: number): number | null {
  return Date.now() - mtime > grain ? mtime : null;
}

function mayBeNamed(name: string): boolean {
  try {
    return safeSegments(name).length === 1;
  } catch {
    return false;
  }
}

function inside(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function modifiedOf(place: string): number | null {
  try {
    return statSync(place).mtimeMs;
  } catch {
    return null;
  }
}
