import { type Dirent, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isHiddenPath, isWithin, type RootFolder, rootFolder, safeSegments } from '../../files';
import { rest, untilRest, untilWhole } from './at-rest';
import { removeLeftBehind, removeLeftByRecords } from './left-behind';
import { createLeftOut, type LeftOut } from './left-out';
import { createWatch, isHidden } from './watch';

export interface VaultFile {
  /** Relative to the vault, with forward slashes. */
  readonly path: string;
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
  /** With size and time: tells whether the file is another one than before. */
  readonly ino: number;
  /** A symbolic link: another name for a file of the vault. */
  readonly isLink: boolean;
}

/**
 * The files of a vault, in memory and in step with the disk: events say what changed, and sweeps find what events did
 * not tell. A file that is just being saved in place stays as it was known. Hidden files and folders are no part of it: they hold settings, some of which run programs.
 */
export interface Tree {
  /** Sorted by path. */
  files(): readonly VaultFile[];
  get(path: string): VaultFile | undefined;
  /** All else in the vault's folder, as of the last look into the folders. */
  leftOut(): readonly LeftOut[];
  /** Catches up with the disk. `folders`: looks for new and gone files even where no event told of any. */
  refresh(how?: 'events' | 'folders'): Promise<void>;
  /** Says that a file holds less than is told of it here: the next catching up looks at it again. */
  lookAgain(path: string): void;
  /** In the same tick as a file was written or removed here: nobody else can have emptied it yet. */
  lookNow(path: string): void;
  onChange(listener: ChangeListener): void;
  /** Whether the whole vault was read once. */
  isRead(): boolean;
  /** From now on changes are looked for by themselves, soon after each event. */
  follow(): void;
  close(): void;
}

type ChangeListener = (path: string, what: 'added' | 'changed' | 'removed') => void;

interface Folder {
  /** As of its last reading; null where entries may have changed within the clock's grain. */
  mtime: number | null;
  readonly entries: Map<string, 'file' | 'folder'>;
}

const sweepEvery = 10_000;
/** Two changes within the grain of a file system's clock can't be told apart by time. */
const grain = 25;
const gather = 30;
/** Somebody may write all the time. */
const longestWait = 300;

export function createTree({ root, home = rootFolder(root) }: { root: string; home?: RootFolder }): Tree {
  const folders = new Map<string, Folder>();
  const all = new Map<string, VaultFile>();
  /** What is to be looked at again: when it was changed, and from when on it is believed. Milliseconds since 1970. */
  const unrested = new Map<string, { readonly modified: number; readonly due: number }>();
  /** What was still being written when the vault was first read: shown as it was then, until it is at rest. */
  const met = new Set<string>();
  const listeners: ChangeListener[] = [];
  let sorted: readonly VaultFile[] | null = null;
  let swept = Number.NEGATIVE_INFINITY;
  let following = false;
  let timer: NodeJS.Timeout | undefined;
  let realRoot: string | undefined;
  let leftOut: readonly LeftOut[] = [];
  const others = createLeftOut({
    root,
    settled,
    isShown: (path, kind) => (kind === 'folder' ? folders.has(path) : all.has(path)),
  });

  const watch = createWatch({
    root,
    onEvent: () => refreshSoon(gather),
  });

  const isRead = () => swept > 0;

  function refreshSoon(after: number): void {
    if (!following || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      void refresh().catch(() => undefined);
    }, after);
    timer.unref();
  }

  function tell(...[path, what]: Parameters<ChangeListener>): void {
    sorted = null;
    for (const listener of listeners) listener(path, what);
  }

  function forget(path: string): void {
    unrested.delete(path);
    met.delete(path);
    if (all.delete(path)) tell(path, 'removed');
    const folder = folders.get(path);
    if (!folder) return;
    folders.delete(path);
    watch.leave(path);
    for (const name of folder.entries.keys()) forget(inside(path, name));
  }

  function lookAtFile(path: string, isLink: boolean, always: boolean): boolean {
    const found = statFile(path, isLink);
    if (!found) return false;
    const before = all.get(path);
    // Nobody can tell yet whether it was ever more.
    if (!isRead() && found.size === 0) met.add(path);
    const left = Math.max(untilWhole(found, before), met.has(path) ? untilRest(found, needed(found)) : 0);
    if (left > 0) {
      unrested.set(path, { modified: Math.floor(found.modified), due: Date.now() + left });
      return true;
    }
    unrested.delete(path);
    met.delete(path);
    if (!isRead() && untilRest(found, rest.text) > 0) {
      met.add(path);
      unrested.set(path, { modified: Math.floor(found.modified), due: Date.now() });
    }
    const same =
      before?.modified === found.modified &&
      before.size === found.size &&
      before.ino === found.ino &&
      before.isLink === isLink;
    if (same && !always) return true;
    all.set(path, found);
    tell(path, before ? 'changed' : 'added');
    return true;
  }

  /** Null for what can't be shown: gone meanwhile, a link that leads outside or to a folder, a name no path may have. */
  function statFile(path: string, isLink: boolean): VaultFile | null {
    try {
      const place = join(root, ...safeSegments(path));
      realRoot ??= realpathSync(root);
      if (isLink) {
        const real = realpathSync(place);
        if (!isWithin(realRoot, real) || isHiddenPath(relative(realRoot, real))) return null;
      }
      const found = statSync(place);
      return found.isFile()
        ? { path, size: found.size, modified: found.mtimeMs, ino: found.ino, isLink }
        : null;
    } catch {
      return null;
    }
  }

  /** Names alone are read in a third of the time; mostly an event has told of what is new already. */
  function hasSameNames(folder: Folder, place: string): boolean {
    let known = 0;
    for (const name of readdirSync(place)) {
      if (folder.entries.has(name)) known++;
      else if (!isHidden(name)) return false;
    }
    return known === folder.entries.size;
  }

  /** Reads a folder's entries; `deep` also looks at every file in it and at the folders that are known already. */
  function readFolder(path: string, deep: boolean): void {
    let entries: Dirent[];
    let mtime: number;
    try {
      const place = join(root, ...safeSegments(path));
      mtime = statSync(place).mtimeMs;
      const known = deep ? undefined : folders.get(path);
      if (known && hasSameNames(known, place)) {
        known.mtime = settled(mtime);
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

  /** What lies in a folder that is not known yet is known through the nearest one that is. */
  function readNewFolders(path: string): void {
    let folder = parentOf(path);
    if (folders.has(folder)) return;
    while (folder !== '' && !folders.has(folder)) folder = parentOf(folder);
    if (folders.has(folder)) readFolder(folder, false);
  }

  function readEntry(path: string): void {
    unrested.delete(path);
    const parent = folders.get(parentOf(path));
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (!parent) return;
    try {
      const place = join(root, ...safeSegments(path));
      const found = statSync(place);
      if (found.isDirectory()) {
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

  async function refresh(how: 'events' | 'folders' = 'events'): Promise<void> {
    const most = isRead() ? { each: rest.text, all: longestWait } : { each: rest.empty, all: rest.empty };
    await look(how);
    const until = Date.now() + most.all;
    while (unrested.size > 0) {
      const looked = Date.now();
      home.check();
      for (const path of [...unrested.keys()]) readEntry(path);
      const now = Date.now();
      // Who waits longer is what was emptied: it may have been meant, and till then it is as it was known.
      const soon = [...unrested].flatMap(([path, { modified, due }]) => {
        const longest = now + (all.has(path) ? rest.text : most.each);
        return [modified + rest.text, due].filter((at) => at >= looked && at <= longest);
      });
      if (soon.length === 0 || now > until) break;
      await wait(Math.max(1, Math.min(Math.ceil(Math.max(...soon) - now), rest.text)));
    }
    // Who empties a file and leaves it so tells nobody that it was meant.
    if (unrested.size > 0) refreshSoon(rest.text);
  }

  async function look(how: 'events' | 'folders'): Promise<void> {
    // Lets in the events that wait in this turn of the loop: what was written before a request is seen by it.
    await new Promise((resolve) => setImmediate(resolve));
    // What is not there while the disk is away is not gone.
    if (!home.stands()) watch.renew();
    home.check();
    const changed = watch.take();
    if (changed === 'unknown' || performance.now() - swept > sweepEvery) {
      readFolder('', true);
      swept = performance.now();
      if (how === 'folders') lookAtOthers();
      return;
    }
    for (const path of changed) readEntry(path);
    if (how === 'events') return;
    for (const [path, folder] of [...folders]) {
      if (!folders.has(path)) continue;
      const mtime = folder.mtime === null ? null : modifiedOf(join(root, ...path.split('/')));
      if (mtime === null || mtime !== folder.mtime) readFolder(path, false);
    }
    lookAtOthers();
  }

  function lookAtOthers(): void {
    leftOut = others.look();
    removeLeftBehind(leftOut, true);
    removeLeftByRecords(root);
  }

  return {
    files: () => {
      sorted ??= [...all.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
      return sorted;
    },
    get: (path) => all.get(path),
    leftOut: () => leftOut,
    refresh,
    lookAgain: (path) => {
      unrested.set(path, { modified: 0, due: 0 });
    },
    lookNow: (path) => {
      met.delete(path);
      readNewFolders(path);
      readEntry(path);
    },
    onChange: (listener) => {
      listeners.push(listener);
    },
    isRead,
    follow: () => {
      following = true;
    },
    close: () => {
      clearTimeout(timer);
      watch.close();
    },
  };
}

const needed = ({ size }: VaultFile): number => (size === 0 ? rest.empty : rest.text);

/** Null: entries may have changed since, within the clock's grain. */
function settled(mtime: number): number | null {
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
