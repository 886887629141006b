import { randomBytes } from 'node:crypto';
import { closeSync, linkSync, lstatSync, openSync, renameSync, rmSync } from 'node:fs';
import { access, constants, type FileHandle, open, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { asUsual } from './private';
import { realTarget } from './real-target';
import { syncFolder } from './sync-folder';

export interface DurableWriteOptions {
  /** The file must not exist: `EEXIST` if it does, however many try at once. */
  readonly exclusive?: boolean;
  /** A new file is for its owner alone; else it is like any that the person makes. */
  readonly private?: boolean;
  /** Permissions of a new file that was another one before. */
  readonly mode?: number | undefined;
  /** Does the last check and the replacing, which are one tick, as it says. */
  readonly replacing?: (work: () => void) => void;
  /** Last check, in the same tick as the file gets its name; what it throws leaves the old file as it is. */
  readonly beforeReplace?: () => void;
  /** In the same tick as the rename, so before anybody who watches the folder hears of it. */
  readonly onReplaced?: (mark: FileMark) => void;
}

/** Tells a file's content from another's without reading it. */
export interface FileMark {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ino: number;
  readonly birthtimeMs: number;
}

/** Which file it is, wherever it is moved and whatever is written into it. Numbers of files that are gone are given again. */
export const fileId = ({ ino, birthtimeMs }: Pick<FileMark, 'ino' | 'birthtimeMs'>): string =>
  `${ino}:${Math.round(birthtimeMs)}`;

export const inodeOf = (file: string): number => Number(file.split(':')[0]);

/** Whether a file was there before the other one came to be: it cannot be the other one written anew. */
export const isOlderFile = (file: string, other: string): boolean => born(file) < born(other);
const born = (file: string) => Number(file.split(':')[1]);

/** Short: a name of 255 bytes leaves no room for a suffix. */
export function temporaryBeside(path: string): string {
  return join(dirname(path), `.interlinear-${randomBytes(6).toString('hex')}.tmp`);
}

const temporaryName = /^\.interlinear-[0-9a-f]{12}\.tmp$/;

/** A file that a killed process left behind while it wrote. */
export function isTemporaryName(name: string): boolean {
  return temporaryName.test(name);
}

/** Younger ones may belong to a write that is under way in another process. */
const temporaryAgeMs = 60_000;

/** Removes such a file, if no write can be under way in it any more. */
export function removeOldTemporary(path: string | Buffer, ageMs = temporaryAgeMs): void {
  try {
    if (Date.now() - lstatSync(path).mtimeMs > ageMs) rmSync(path);
  } catch {
    // Its writer was faster.
  }
}

/**
 * Replaces a file whole: temporary file beside it, written, synced, renamed. `handle.writeFile` loops over short
 * writes, so a full disk is an error (`ENOSPC`) and the old bytes stay. Mode, owner and symbolic links are kept; a file
 * that may not be written is never replaced (`EACCES`, `EROFS`). Errors are Node's own.
 */
export async function durableWrite(
  path: string,
  data: string | Uint8Array | readonly Uint8Array[],
  {
    exclusive = false,
    private: isPrivate = false,
    mode,
    replacing = (work) => work(),
    beforeReplace,
    onReplaced,
  }: DurableWriteOptions = {},
): Promise<void> {
  const target = exclusive ? path : await realTarget(path);
  const before = exclusive ? undefined : await statIfThere(target);
  if (before) {
    if (!before.isFile()) throw Object.assign(new Error('Not a file.'), { code: 'EISDIR' });
    // Root may write anything; the permission bits still say what the owner wants.
    if ((before.mode & 0o222) === 0)
      throw Object.assign(new Error('The file is read-only.'), { code: 'EACCES' });
    await access(target, constants.W_OK);
  }
  const temporary = temporaryBeside(target);
  try {
    let mark: FileMark;
    const wholeMode = before?.mode ?? mode;
    const first = wholeMode === undefined ? (isPrivate ? 0o600 : 'usual') : wholeMode & 0o777;
    const handle = await openNew(temporary, first);
    try {
      await handle.writeFile(data as string | Uint8Array | Iterable<Uint8Array>);
      if (before) await keepOwner(handle, before);
      if (wholeMode !== undefined) await handle.chmod(wholeMode & 0o7777);
      await handle.sync();
      const { size, mtimeMs, ino, birthtimeMs } = await handle.stat();
      mark = { size, mtimeMs, ino, birthtimeMs };
    } finally {
      await handle.close();
    }
    const replaced = () => onReplaced?.(mark);
    if (exclusive) await claim(temporary, target, beforeReplace, replaced);
    else await replace(temporary, target, beforeReplace, replaced, replacing);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(dirname(target));
}

/** Root may give a file away, others may give it to a group of theirs; where neither may be, the writer owns it. */
async function keepOwner(handle: FileHandle, { uid, gid }: { uid: number; gid: number }): Promise<void> {
  const own = await handle.stat();
  if (own.uid === uid && own.gid === gid) return;
  await handle.chown(uid, gid).catch(() => handle.chown(own.uid, gid).catch(() => undefined));
}

async function openNew(path: string, mode: number | 'usual'): Promise<FileHandle> {
  if (mode !== 'usual') return open(path, 'wx', mode);
  // What the usual permissions are is known to the whole process, for as long as nothing else happens in it.
  asUsual(() => closeSync(openSync(path, 'wx', 0o666)));
  return open(path, 'r+');
}

async function statIfThere(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** A hard link is the one way to give a finished file its name only if that name is free. */
async function claim(
  temporary: string,
  target: string,
  beforeReplace: (() => void) | undefined,
  replaced: () => void,
): Promise<void> {
  beforeReplace?.();
  try {
    linkSync(temporary, target);
    replaced();
    await rm(temporary, { force: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP' && code !== 'ENOSYS') throw error;
    // File systems without hard links (FAT): an empty file claims the name first.
    asUsual(() => closeSync(openSync(target, 'wx')));
    await replace(temporary, target, beforeReplace, replaced);
  }
}

/** Windows refuses to rename over a file that a virus scanner or an indexer is just reading. */
async function replace(
  temporary: string,
  target: string,
  beforeReplace: (() => void) | undefined,
  replaced: () => void,
  replacing: (work: () => void) => void = (work) => work(),
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return replacing(() => {
        beforeReplace?.();
        renameSync(temporary, target);
        replaced();
      });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const passing = code === 'EPERM' || code === 'EACCES' || code === 'EBUSY';
      if (process.platform !== 'win32' || !passing || attempt > 6) throw error;
      await new Promise((resolve) => setTimeout(resolve, 10 * 2 ** attempt));
    }
  }
}
