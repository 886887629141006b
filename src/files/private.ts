import {
  chmodSync,
  closeSync,
  constants,
  type Dirent,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  statSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import envPaths from 'env-paths';
import { makeFolders } from './sync-folder';

/** Where the app keeps its data, in every host. */
export function dataFolderOf(environment: Readonly<Record<string, string | undefined>>): string {
  return environment.INTERLINEAR_DATA
    ? resolve(environment.INTERLINEAR_DATA)
    : envPaths('interlinear', { suffix: '' }).data;
}

let usual: number | undefined;

/**
 * From here on whatever this process makes is for its owner alone. What belongs to others as well, a vault's notes and
 * programs that are started, goes by `asUsual`. Each program of ours that keeps data begins with this.
 */
export function keepPrivate(): void {
  usual ??= process.umask(0o077);
}

/** Does work that makes files or starts programs with the permissions that the person's system gives by itself. */
export function asUsual<T>(work: () => T): T {
  if (usual === undefined) return work();
  process.umask(usual);
  try {
    return work();
  } finally {
    process.umask(0o077);
  }
}

/** Makes a folder of a vault, with those above it. */
export function makeSharedFolder(path: string): void {
  asUsual(() => makeFolders(path));
}

/** Makes an empty file of a vault where there is none, and none where a link leads. Opening a pipe waits for nobody. */
export function makeSharedFile(path: string): void {
  const { O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_WRONLY } = constants;
  asUsual(() => closeSync(openSync(path, O_WRONLY | O_CREAT | O_NONBLOCK | O_NOFOLLOW)));
}

/**
 * The data folder, there and closed to everyone else, with all that an older version left open in it. A folder that was
 * never ours is closed, but what is in it stays as it is.
 */
export function preparePrivateFolder(folder: string): void {
  const wasOurs = ['instance.lock', 'settings.json', 'interlinear.db'].some((name) =>
    existsSync(join(folder, name)),
  );
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  close(folder);
  if (!wasOurs) return;
  for (const entry of entriesOf(folder)) close(join(entry.parentPath, entry.name));
}

/** A folder in the data folder. What lies in its place, and is none, keeps its content under another name: the answer, else null. */
export function makeOwnFolder(path: string): string | null {
  const isOther = lstatSync(path, { throwIfNoEntry: false }) !== undefined && !leadsToFolder(path);
  const aside = isOther ? `${path}.damaged-${Date.now()}` : null;
  if (aside !== null) renameSync(path, aside);
  makeFolders(path, 0o700);
  return aside;
}

/** What lies in the place of a file in the data folder, and is none, keeps its content under another name: the answer, else null. */
export function clearForFile(path: string): string | null {
  if (!isOther(path)) return null;
  const aside = `${path}.damaged-${Date.now()}`;
  renameSync(path, aside);
  return aside;
}

/** No file, nor a link to one; whatever can't be looked at is for whoever opens it to say. */
function isOther(path: string): boolean {
  try {
    const stats = lstatSync(path);
    return stats.isSymbolicLink() ? !existsSync(path) || !statSync(path).isFile() : !stats.isFile();
  } catch {
    return false;
  }
}

function leadsToFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch {
    return [];
  }
}

/** Links are left alone, and so is what belongs to somebody else or went away meanwhile. */
function close(path: string): void {
  if (process.platform === 'win32') return;
  try {
    const stats = lstatSync(path);
    if ((stats.mode & 0o077) !== 0 && (stats.isFile() || stats.isDirectory()))
      chmodSync(path, stats.mode & 0o700);
  } catch {
    // What can't be closed can't be opened by us either, or is not ours.
  }
}
