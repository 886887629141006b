import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { makeOwnFolder } from '../../files';
import { holdLock } from '../foundation';

export interface JournalFolder {
  /** Absolute; this process alone writes here. Null: nowhere. */
  readonly path: string | null;
  release(): void;
}

const most = 64;

/**
 * A folder for the journals of this process: `journals`, or the next that nobody holds (the command line answers beside
 * a running app). Journals that died with
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
  try {
    makeOwnFolder(folder);
    return holdLock(`${folder}.lock`);
  } catch (error) {
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
