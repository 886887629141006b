import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

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
  mkdirSync(dataFolder, { recursive: true });
  const announcement = join(dataFolder, 'instance.json');
  const database = new DatabaseSync(join(dataFolder, 'instance.lock'));
  try {
    database.exec('pragma busy_timeout = 0; begin exclusive');
  } catch {
    database.close();
    return { kind: 'elsewhere', where: readAnnouncement(announcement) };
  }
  rmSync(announcement, { force: true });
  return {
    kind: 'taken',
    lock: {
      announce: (where) =>
        writeFileSync(announcement, JSON.stringify({ where, pid: process.pid }), { mode: 0o600 }),
      release: () => {
        rmSync(announcement, { force: true });
        database.close();
      },
    },
  };
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
