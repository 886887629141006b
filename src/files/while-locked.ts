import { lstatSync, type Stats, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { besideDatabase, openDatabaseFile } from './database-file';

/** Where writers of a vault meet, relative to it. */
export const vaultLock = '.interlinear/vault-server.lock';

/**
 * Runs work while no other process, nor another part of this one, holds the same file. SQLite holds the lock: it works on
 * every system, and the system itself releases it when a process dies. `EBUSY` after so many milliseconds of waiting,
 * `ENOSPC` on a disk that is full, `EROFS` where the file can't be opened for writing. The signal ends the waiting, not the work.
 */
export async function whileLocked<T>(
  file: string,
  longestWait: number,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const database = open(file);
  try {
    await acquire(database, longestWait, signal);
    return await work();
  } finally {
    database.close();
  }
}

export interface LockDamage {
  /** The file of the lock, or what stands where SQLite has a file of its own beside it. */
  readonly file: string;
  readonly why: string;
}

/** What keeps everybody from holding this file, for good; null for one that may be held. A sound one is mostly empty. */
export function lockDamage(file: string): LockDamage | null {
  const stranger = strangerAt(file);
  if (stranger) return stranger;
  if (!statSync(file, { throwIfNoEntry: false })?.size) return null;
  try {
    const database = openDatabaseFile(file);
    try {
      database.exec('BEGIN EXCLUSIVE');
    } finally {
      database.close();
    }
  } catch (error) {
    if (isNoDatabase(error)) return { file, why: 'it holds something else.' };
  }
  return null;
}

/** What SQLite would write into, or make, though it may be something of somebody's: a note that has this name as well, by a hard link. */
function strangerAt(file: string): LockDamage | null {
  for (const each of ['', ...besideDatabase].map((ending) => file + ending)) {
    const entry = lstatSync(each, { throwIfNoEntry: false });
    const stats = statSync(each, { throwIfNoEntry: false });
    // SQLite makes files of its own beside it and removes them at any moment.
    if (!stats && entry?.isSymbolicLink()) return { file: each, why: 'it is a link that leads nowhere.' };
    if (stats && !stats.isFile()) return { file: each, why: `it is ${kindOf(stats)}.` };
    if (stats && stats.nlink > 1) return { file: each, why: 'it has another name as well.' };
  }
  return null;
}

const kindOf = (stats: Stats) => (stats.isDirectory() ? 'a folder' : 'a pipe, a socket or a device');

function open(file: string): DatabaseSync {
  try {
    const stranger = strangerAt(file);
    if (stranger) throw new Error(`${stranger.file}: ${stranger.why}`);
    return openDatabaseFile(file);
  } catch (error) {
    throw Object.assign(new Error('The lock can’t be opened.', { cause: error }), { code: 'EROFS' });
  }
}

async function acquire(database: DatabaseSync, longestWait: number, signal?: AbortSignal): Promise<void> {
  const end = Date.now() + longestWait;
  for (;;) {
    signal?.throwIfAborted();
    try {
      database.exec('BEGIN EXCLUSIVE');
      return;
    } catch (error) {
      if (isFull(error))
        throw Object.assign(new Error('The disk is full.', { cause: error }), { code: 'ENOSPC' });
      if (!isBusy(error)) throw Object.assign(new Error('No lock.', { cause: error }), { code: 'EROFS' });
      if (Date.now() > end) throw Object.assign(new Error('Locked for too long.'), { code: 'EBUSY' });
      // Waiters must not keep step with each other.
      await delay(2 + Math.random() * 20, undefined, { signal });
    }
  }
}

/** SQLITE_BUSY and its extended codes. */
const isBusy = (error: unknown) => codeOf(error) === 5;
/** SQLITE_FULL, also beyond what a person may use of a disk. */
const isFull = (error: unknown) => codeOf(error) === 13;
/** SQLITE_CORRUPT, SQLITE_NOTADB. */
const isNoDatabase = (error: unknown) => codeOf(error) === 11 || codeOf(error) === 26;

function codeOf(error: unknown): number | null {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === 'number' ? code & 0xff : null;
}
