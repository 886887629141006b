import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface JournalFolder {
  /** Absolute; this process alone writes here. Null: nowhere. */
  readonly path: string | null;
  release(): void;
}

const most = 64;

/**
 * A folder for the journals of this process: `journals`, or the next that nobody holds (the command line answers beside
 * a running app). The lock is SQLite's own, which the system gives back however a process ends. Journals that died with
 * others are taken over, so that the next opening of their vault recovers them. A place that is damaged is passed over.
 */
export function claimJournalFolder(dataFolder: string, onNone: (reason: string) => void): JournalFolder {
  let reason = '';
  for (let place = 1; place <= most; place++) {
    const path = folderAt(dataFolder, place);
    const lock = tryLock(path, (why) => {
      reason ||= why;
    });
    if (!lock) continue;
    for (let other = 1; other <= most; other++) {
      if (other !== place) takeOver(folderAt(dataFolder, other), path);
    }
    return { path, release: () => lock.close() };
  }
  onNone(reason || `More than ${most} programs write to ${dataFolder}.`);
  return { path: null, release: () => undefined };
}

const folderAt = (dataFolder: string, place: number) =>
  join(dataFolder, place === 1 ? 'journals' : `journals-${place}`);

function tryLock(folder: string, onTrouble: (reason: string) => void): DatabaseSync | null {
  let database: DatabaseSync | null = null;
  try {
    mkdirSync(folder, { recursive: true });
    database = new DatabaseSync(`${folder}.lock`);
    database.exec('pragma busy_timeout = 0; begin exclusive');
    return database;
  } catch (error) {
    database?.close();
    onTrouble(error instanceof Error ? error.message : String(error));
    return null;
  }
}

function takeOver(from: string, to: string): void {
  if (!existsSync(from)) return;
  const lock = tryLock(from, () => undefined);
  if (!lock) return;
  try {
    for (const name of readdirSync(from).filter((file) => file.endsWith('.journal')))
      if (!existsSync(join(to, name))) renameSync(join(from, name), join(to, name));
  } catch {
    // What can't be moved now is when that is possible again.
  } finally {
    lock.close();
  }
}
