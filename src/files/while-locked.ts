import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabaseFile } from './database-file';

/** Where writers of a vault meet, relative to it. */
export const vaultLock = '.interlinear/vault-server.lock';

/**
 * Runs work while no other process, nor another part of this one, holds the same file. SQLite holds the lock: it works on
 * every system, and the system itself releases it when a process dies. `EBUSY` after so many milliseconds of waiting,
 * `EROFS` where the file can't be opened for writing.
 */
export async function whileLocked<T>(file: string, longestWait: number, work: () => Promise<T>): Promise<T> {
  const database = open(file);
  try {
    await acquire(database, longestWait);
    return await work();
  } finally {
    database.close();
  }
}

function open(file: string): DatabaseSync {
  try {
    return openDatabaseFile(file);
  } catch (error) {
    throw Object.assign(new Error('The lock can’t be opened.', { cause: error }), { code: 'EROFS' });
  }
}

async function acquire(database: DatabaseSync, longestWait: number): Promise<void> {
  const end = Date.now() + longestWait;
  for (;;) {
    try {
      database.exec('BEGIN EXCLUSIVE');
      return;
    } catch (error) {
      if (!isBusy(error)) throw Object.assign(new Error('No lock.', { cause: error }), { code: 'EROFS' });
      if (Date.now() > end) throw Object.assign(new Error('Locked for too long.'), { code: 'EBUSY' });
      // Waiters must not keep step with each other.
      await delay(2 + Math.random() * 20);
    }
  }
}

/** SQLITE_BUSY and its extended codes. */
function isBusy(error: unknown): boolean {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === 'number' && (code & 0xff) === 5;
}
