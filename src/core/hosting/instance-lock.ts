import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { readFileAtSync, replaceFileSync } from '../../files';
import { holdLock, stateOf } from '../foundation';

/** Bytes. */
const longestAnnouncement = 10_000;

export interface InstanceLock {
  /** Says where this instance can be found. */
  announce(where: string): void;
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
  let database: DatabaseSync | null = null;
  try {
    mkdirSync(dataFolder, { recursive: true });
    database = holdLock(lockFile);
  } catch (error) {
    if (stateOf(error) === 'busy') return { kind: 'elsewhere', where: readAnnouncement(announcement) };
  }
  quietly(() => rmSync(announcement, { force: true }));
  return {
    kind: 'taken',
    lock: {
      announce: (where) =>
        quietly(() => replaceFileSync(announcement, JSON.stringify({ where, pid: process.pid }))),
      release: () => {
        quietly(() => rmSync(announcement, { force: true }));
        database?.close();
      },
    },
  };
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
    const { where } = JSON.parse(readFileAtSync(path, longestAnnouncement).toString('utf8')) as {
      where?: unknown;
    };
    return typeof where === 'string' ? where : null;
  } catch {
    return null;
  }
}
