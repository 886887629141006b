import { lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { openDatabaseFile } from './database-file';
import { folderId } from './folder-id';

/** Milliseconds. What is done here takes less than one. */
const longestWait = 100;
/** So many files are there at most: vaults that share one only wait for each other. */
const files = 64;

/**
 * Does work of one tick in a folder while no other process of this person does any there: what was looked at first is still so
 * when it is replaced. Apps have their data in different folders, and nothing is made in a vault for this, so that they meet in
 * the system's folder for temporary files. Where they can't, or somebody takes too long, the work is done all the same.
 */
export function whileOthersWait<T>(folder: string, work: () => T): T {
  const lock = acquire(folder);
  try {
    return work();
  } finally {
    lock?.close();
  }
}

function acquire(folder: string): DatabaseSync | null {
  const id = folderId(folder);
  const place = ownFolder();
  if (id === null || place === null) return null;
  let lock: DatabaseSync | null = null;
  try {
    lock = openDatabaseFile(join(place, `turn-${sumOf(id) % files}`), longestWait);
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch {
    lock?.close();
    return null;
  }
}

/** Null: it is somebody else's, or can't be made. */
function ownFolder(): string | null {
  const user = process.getuid?.();
  const folder = join(tmpdir(), user === undefined ? 'interlinear' : `interlinear-${user}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const stats = lstatSync(folder);
    if (!stats.isDirectory()) return null;
    return user === undefined || (stats.uid === user && (stats.mode & 0o022) === 0) ? folder : null;
  } catch {
    return null;
  }
}

const sumOf = (text: string) => [...text].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) >>> 0, 0);
