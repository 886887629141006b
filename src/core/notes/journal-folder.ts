import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface JournalFolder {
  /** Absolute; this process alone writes here. */
  readonly path: string;
  release(): void;
}

const most = 64;

/**
 * A folder for the journals of this process: `journals`, or the next that nobody holds (the command line answers beside
 * a running app). The lock is SQLite's own, which the system gives back however a process ends. Journals that died with
 * others are taken over, so that the next opening of their vault recovers them.
 */
export function claimJournalFolder(dataFolder: string): JournalFolder {
  for (let place = 1; place <= most; place++) {
    const path = folderAt(dataFolder, place);
    const lock = tryLock(path);
    if (!lock) continue;
    for (let other = 1; other <= most; other++) {
      if (other !== place) takeOver(folderAt(dataFolder, other), path);
    }
    return { path, release: () => lock.close() };
  }
  throw new Error(`More than ${most} programs write to ${dataFolder}.`);
}

const folderAt = (dataFolder: string, place: number) =>
  join(dataFolder, place === 1 ? 'journals' : `journals-${place}`);

function tryLock(folder: string): DatabaseSync | null {
  mkdirSync(folder, { recursive: true });
  const database = new DatabaseSync(`${folder}.lock`);
  try {
    database.exec('pragma busy_timeout = 0; begin exclusive');
    return database;
  } catch {
    database.close();
    return null;
  }
}

function takeOver(from: string, to: string): void {
  if (!existsSync(from)) return;
  const lock = tryLock(from);
  if (!lock) return;
  try {
    for (const name of readdirSync(from).filter((file) => file.endsWith('.journal'))) {
      // Two journals of one note: the second waits until the first has been recovered.
      if (!existsSync(join(to, name))) renameSync(join(from, name), join(to, name));
    }
  } finally {
    lock.close();
  }
}
