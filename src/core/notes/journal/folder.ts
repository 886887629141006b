import { existsSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { makeOwnFolder } from '../../../files';
import { holdLock } from '../../foundation';

export interface JournalFolder {
  /** Absolute; this process alone writes there. Null: nowhere, now. Where it was deleted or moved it is made anew. */
  current(): string | null;
  release(): void;
}

interface Claim {
  readonly path: string;
  readonly lock: DatabaseSync;
  /** Which file holds the lock. */
  readonly inode: bigint | null;
}

const most = 64;

/**
 * A folder for the journals of this process: `journals`, or the next that nobody holds (the command line answers beside
 * a running app). Journals that died with
 * others are taken over, so that the next opening of their vault recovers them. A place that is damaged is passed over.
 * `onSetAside`: what stood in the place of such a folder, and where it is now.
 */
export function claimJournalFolder(
  dataFolder: string,
  onNone: (reason: string) => void,
  onSetAside: (file: string, keptAs: string) => void,
): JournalFolder {
  let claim = claimOne(dataFolder, onNone, onSetAside);
  return {
    current() {
      if (claim && inodeOf(lockOf(claim.path)) === claim.inode && existsSync(claim.path)) return claim.path;
      claim?.lock.close();
      claim = claimOne(dataFolder, () => undefined, onSetAside);
      return claim?.path ?? null;
    },
    release: () => claim?.lock.close(),
  };
}

function claimOne(
  dataFolder: string,
  onNone: (reason: string) => void,
  onSetAside: (file: string, keptAs: string) => void,
): Claim | null {
  let reason = '';
  const failed = (why: string) => {
    reason ||= why;
  };
  for (let place = 1; place <= most; place++) {
    const path = folderAt(dataFolder, place);
    const lock = tryLock(path, failed, onSetAside);
    if (!lock) continue;
    for (let other = 1; other <= most; other++) {
      if (other !== place) takeOver(folderAt(dataFolder, other), path, onSetAside);
    }
    return { path, lock, inode: inodeOf(lockOf(path)) };
  }
  onNone(reason || `More than ${most} programs write to ${dataFolder}.`);
  return null;
}

function inodeOf(path: string): bigint | null {
  try {
    return statSync(path, { bigint: true }).ino;
  } catch {
    return null;
  }
}

const lockOf = (folder: string) => `${folder}.lock`;

const folderAt = (dataFolder: string, place: number) =>
  join(dataFolder, place === 1 ? 'journals' : `journals-${place}`);

function tryLock(
  folder: string,
  onTrouble: (reason: string) => void,
  onSetAside: (file: string, keptAs: string) => void,
): DatabaseSync | null {
  try {
    const aside = makeOwnFolder(folder);
    if (aside !== null) onSetAside(folder, aside);
    return holdLock(lockOf(folder));
  } catch (error) {
    onTrouble(error instanceof Error ? error.message : String(error));
    return null;
  }
}

function takeOver(from: string, to: string, onSetAside: (file: string, keptAs: string) => void): void {
  if (!existsSync(from)) return;
  const lock = tryLock(from, () => undefined, onSetAside);
  if (!lock) return;
  try {
    const names = readdirSync(from);
    // A journal is nothing without what it begins with.
    for (const ending of ['.base', '.journal'])
      for (const name of names.filter((file) => file.endsWith(ending)))
        if (!existsSync(join(to, name))) renameSync(join(from, name), join(to, name));
  } catch {
    // What can't be moved now is when that is possible again.
  } finally {
    lock.close();
  }
}
