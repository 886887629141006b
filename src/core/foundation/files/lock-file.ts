import type { DatabaseSync } from 'node:sqlite';
import { openDatabaseFile } from '../../../files';
import { setAside, stateOf } from './data-file';

/**
 * Holds a file for as long as the process lives, or until the answer is closed. The lock is SQLite's own, which the system
 * gives back however the process ends: nothing is stale after a crash and no process number is mistaken for another. What
 * lies in its place and is no such file is set aside. Throws where another holds it (`stateOf` says busy) and where there
 * can be none.
 */
export function holdLock(path: string): DatabaseSync {
  try {
    return lock(path);
  } catch (error) {
    if (stateOf(error) !== 'damaged' || setAside(path) === null) throw error;
    return lock(path);
  }
}

function lock(path: string): DatabaseSync {
  const database = openDatabaseFile(path);
  try {
    database.exec('begin exclusive');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
