import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { readFileAtSync, replaceFileSync } from '../../files';
import { holdLock, stateOf } from '../foundation';

/** Bytes. */
const longestAnnouncement = 10_000;

export interface InstanceLock {
  /** Says where this instance can be found. */
  announce(where: string): void;
  /**
   * The data folder may be another one: its lock is taken and what was announced is said there. Throws where another app has
   * it by now, or none can be had.
   */
  putBack(): void;
  release(): void;
}

/**
 * One app a data folder. Where no lock can be had at all the app starts without: its files have locks of their own.
 */
export function takeInstanceLock(
  dataFolder: string,
): { kind: 'taken'; lock: InstanceLock } | { kind: 'elsewhere'; where: string | null } {
  const announcement = join(dataFolder, 'instance.json');
  const lockFile = join(dataFolder, 'instance.lock');
  let lock: { readonly database: DatabaseSync; readonly file: string | null } | null = null;
  let announced: string | null = null;
  const hold = () => ({ database: holdLock(lockFile), file: fileAt(lockFile) });
  /** A folder that came instead may have the announcement of another app. */
  const isOurs = () => lock === null || fileAt(lockFile) === lock.file;
  const write = (where: string) => replaceFileSync(announcement, JSON.stringify({ where, pid: process.pid }));

  try {
    mkdirSync(dataFolder, { recursive: true });
    lock = hold();
  } catch (error) {
    if (stateOf(error) === 'busy') return { kind: 'elsewhere', where: readAnnouncement(announcement) };
  }
  quietly(() => rmSync(announcement, { force: true }));
  return {
    kind: 'taken',
    lock: {
      announce(where) {
        announced = where;
        if (isOurs()) quietly(() => write(where));
      },
      putBack() {
        if (lock === null || !isOurs()) {
          const former = lock;
          lock = hold();
          // Whoever uses the folder that was moved away is no second app here.
          former?.database.close();
        }
        if (announced !== null) write(announced);
      },
      release() {
        if (isOurs()) quietly(() => rmSync(announcement, { force: true }));
        lock?.database.close();
      },
    },
  };
}

/** Null: none. */
function fileAt(path: string): string | null {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
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

/** Whether an app, no command, has this data folder now. */
export function isRunning(dataFolder: string): boolean {
  const instance = takeInstanceLock(dataFolder);
  if (instance.kind === 'taken') instance.lock.release();
  return instance.kind === 'elsewhere';
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
    const { where } = JSON.parse(readFileAtSync(path, longestAnnouncement).toString('utf8')) as {
      where?: unknown;
    };
    return typeof where === 'string' ? where : null;
  } catch {
    return null;
  }
}
