import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { ToolFailure } from '../failures';

export type Lock = <T>(work: () => Promise<T>) => Promise<T>;

const longestWait = 10_000;

/**
 * Runs work alone, in this process and among all that use the same file. SQLite holds the lock: it works on every
 * system, and the system itself releases it when a process dies.
 */
export function createLock({ file }: { file: () => Promise<string> }): Lock {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(() => locked(file, work));
    last = next.catch(() => undefined);
    return next;
  };
}

async function locked<T>(file: () => Promise<string>, work: () => Promise<T>): Promise<T> {
  const path = await file();
  await mkdir(dirname(path), { recursive: true });
  const database = open(path);
  try {
    await acquire(database);
    return await work();
  } finally {
    database.close();
  }
}

function open(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { timeout: 0 });
  } catch (error) {
    throw new ToolFailure(
      'read_only',
      `The vault can’t be locked for writing: ${error instanceof Error ? error.message : error}`,
    );
  }
}

async function acquire(database: DatabaseSync): Promise<void> {
  const end = Date.now() + longestWait;
  for (;;) {
    try {
      database.exec('BEGIN EXCLUSIVE');
      return;
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (Date.now() > end) {
        throw new ToolFailure('conflict', 'Another program has been writing to this vault for too long.', {
          hint: 'Try again.',
        });
      }
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
