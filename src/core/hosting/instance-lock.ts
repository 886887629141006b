import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setAside, stateOf } from '../foundation';

export interface InstanceLock {
  /** Says where this instance can be found. */
  announce(where: string): void;
  release(): void;
}

/**
 * One app a data folder. The lock is SQLite's own on a file, which the system gives back however the process ends:
 * nothing is stale after a crash and no process number is mistaken for another.
 */
export function takeInstanceLock(
  dataFolder: string,
): { kind: 'taken'; lock: InstanceLock } | { kind: 'elsewhere'; where: string | null } {
  const announcement = join(dataFolder, 'instance.json');
  const lockFile = join(dataFolder, 'instance.lock');
  let database: DatabaseSync | null;
  try {
    mkdirSync(dataFolder, { recursive: true });
    database = lock(lockFile);
  } catch (error) {
    if (stateOf(error) === 'busy') return { kind: 'elsewhere', where: readAnnouncement(announcement) };
    database = setAside(lockFile) === null ? null : lockAgain(lockFile);
  }
  quietly(() => rmSync(announcement, { force: true }));
  return {
    kind: 'taken',
    lock: {
      announce: (where) =>
        quietly(() =>
          writeFileSync(announcement, JSON.stringify({ where, pid: process.pid }), { mode: 0o600 }),
        ),
      release: () => {
        quietly(() => rmSync(announcement, { force: true }));
        database?.close();
      },
    },
  };
}

function lock(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  try {
    database.exec('pragma busy_timeout = 0; begin exclusive');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Where no lock can be had at all the app starts without: its files have locks of their own. */
function lockAgain(path: string): DatabaseSync | null {
  try {
    return lock(path);
  } catch {
    return null;
  }
}

function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // Only who comes second misses it.
  }
}

/** Where an app serves browsers with this data folder; null where none does. What a killed one announced is no answer. */
export function runningAt(dataFolder: string): string | null {
  const instance = takeInstanceLock(dataFolder);
  if (instance.kind === 'elsewhere') return instance.where;
  instance.lock.release();
  return null;
}

function readAnnouncement(path: string): string | null {
  try {
    const { where } = JSON.parse(readFileSync(path, 'utf8')) as { where?: unknown };
    return typeof where === 'string' ? where : null;
  } catch {
    return null;
  }
}
