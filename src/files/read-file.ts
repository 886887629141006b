import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, type Stats } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../contract/errors';
import type { FileMark } from './durable-write';
import { makeSharedFile } from './private';
import { isWithin, safePath, safeSegments } from './safe-path';

/**
 * The one reader of files that somebody else may have put there: ordinary files only, below a size, and inside the vault
 * after all links. A named pipe, a device or a disk that does not answer stops nobody. Errors are Node's own, and
 * `vault.outside` and `vault.too-large`.
 */
export interface ReadFile {
  readonly bytes: Buffer;
  readonly mark: FileMark;
}

/** Bytes of a file of settings, such as `mcp.json`. */
export const largestSetting = 4 * 1024 * 1024;

/** Bytes of one that a folder brings along: a stranger's is read before anybody is asked. */
export const largestVaultSetting = 512 * 1024;

/** Milliseconds. */
const longestRead = 20_000;

/** Opening a pipe waits for nobody. Windows has no such flags. */
export const atOnce = constants.O_NONBLOCK ?? 0;
export const noLink = constants.O_NOFOLLOW ?? 0;

export async function readFileInside(root: string, path: string, limit: number): Promise<ReadFile> {
  return inTime(async () => read(await openFile(await placeOf(root, path), noLink), path, limit));
}

/** The first bytes of a file, however long it is. */
export async function readStartInside(root: string, path: string, length: number): Promise<Buffer> {
  return inTime(async () => {
    const handle = await openFile(await placeOf(root, path), noLink);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  });
}

/** The last bytes of a file, and how many it has; no link is followed. */
export async function readEndAt(
  absolute: string,
  length: number,
): Promise<{ readonly bytes: Buffer; readonly size: number }> {
  return inTime(async () => {
    const handle = await openFile(absolute, noLink);
    try {
      const { size } = await handle.stat();
      const end = Buffer.alloc(Math.min(length, size));
      const from = size - end.length;
      let at = 0;
      for (let count = -1; count !== 0 && at < end.length; at += count)
        count = (await handle.read(end, at, end.length - at, from + at)).bytesRead;
      return { bytes: end.subarray(0, at), size };
    } finally {
      await handle.close();
    }
  });
}

/** A place that the app or the person named, or that was looked at already. */
export async function readFileAt(absolute: string, limit: number): Promise<Buffer> {
  return inTime(async () => (await read(await openFile(absolute), absolute, limit)).bytes);
}

/** The same for what has to be known at once, such as at the start. */
export function readFileAtSync(absolute: string, limit: number): Buffer {
  return readSyncFrom(openSync(absolute, constants.O_RDONLY | atOnce), absolute, limit);
}

/** For what has to be known at once; a disk that does not answer cannot be left waiting here. */
export function readFileInsideSync(root: string, path: string, limit: number): Buffer {
  const real = realpathSync.native(join(root, ...safeSegments(path)));
  if (!isWithin(realpathSync.native(root), real)) throw outside(path);
  return readSyncFrom(openSync(real, constants.O_RDONLY | atOnce | noLink), path, limit);
}

function readSyncFrom(file: number, path: string, limit: number): Buffer {
  try {
    const { size } = checked(fstatSync(file), path, limit);
    const buffer = Buffer.alloc(size + 1);
    let length = 0;
    for (let count = -1; count !== 0 && length < buffer.length; length += count)
      count = readSync(file, buffer, length, buffer.length - length, null);
    return buffer.subarray(0, Math.min(length, size));
  } finally {
    closeSync(file);
  }
}

/** The first bytes of an ordinary file that was seen in a folder, whatever its name; no link is followed. */
export function readStartAtSync(absolute: string | Buffer, length: number): Buffer {
  const file = openSync(absolute, constants.O_RDONLY | atOnce | noLink);
  try {
    ordinary(fstatSync(file), String(absolute));
    const start = Buffer.alloc(length);
    return start.subarray(0, readSync(file, start, 0, length, 0));
  } finally {
    closeSync(file);
  }
}

/** An ordinary file, opened without waiting; `flags` are those of `open(2)`. One that is made belongs to a vault. */
export async function openFile(absolute: string, flags: number = constants.O_RDONLY): Promise<FileHandle> {
  if (flags & constants.O_CREAT) makeSharedFile(absolute);
  const handle = await open(absolute, flags | atOnce);
  try {
    ordinary(await handle.stat(), absolute);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function placeOf(root: string, path: string): Promise<string> {
  const [realRoot, real] = [await realpath(root), await realpath(await safePath(root, path))];
  if (!isWithin(realRoot, real)) throw outside(path);
  return real;
}

async function read(handle: FileHandle, path: string, limit: number): Promise<ReadFile> {
  try {
    const mark = checked(await handle.stat(), path, limit);
    const buffer = Buffer.alloc(mark.size + 1);
    let length = 0;
    for (let count = -1; count !== 0 && length < buffer.length; length += count)
      count = (await handle.read(buffer, length, buffer.length - length, null)).bytesRead;
    // What is appended meanwhile belongs to the next reading.
    return { bytes: buffer.subarray(0, Math.min(length, mark.size)), mark };
  } finally {
    await handle.close();
  }
}

function checked(stats: Stats, path: string, limit: number): Stats {
  ordinary(stats, path);
  if (stats.size <= limit) return stats;
  const message = `“${path}” is too large: ${stats.size} bytes, at most ${limit}.`;
  throw new AppError('vault.too-large', message, { path, bytes: stats.size, limit });
}

/** `EISDIR` for a folder, `vault.not-found` for pipes, sockets and devices. */
export function ordinary(stats: Stats, path: string): void {
  if (stats.isDirectory()) throw Object.assign(new Error('A folder.'), { code: 'EISDIR' });
  if (!stats.isFile()) throw new AppError('vault.not-found', `“${path}” is not an ordinary file.`, { path });
}

function outside(path: string): AppError<'vault.outside'> {
  return new AppError('vault.outside', `“${path}” is not a path inside the vault.`, { path });
}

async function inTime<T>(work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const error = Object.assign(new Error('The disk does not answer.'), { code: 'ETIMEDOUT' });
    timer = setTimeout(reject, longestRead, error);
  });
  const result = work();
  try {
    return await Promise.race([result, late]);
  } finally {
    clearTimeout(timer);
    result.catch(() => undefined);
  }
}
