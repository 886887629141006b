import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { ordinary } from './read-file';

/** What SQLite opens by itself beside a database. */
export const besideDatabase = ['-wal', '-shm', '-journal'];

/** SQLite opens whatever has the name, and waits for a pipe for ever; here it gets ordinary files only. `longestWait`: milliseconds. */
export function openDatabaseFile(path: string, longestWait = 0): DatabaseSync {
  for (const ending of ['', ...besideDatabase]) checkPlace(`${path}${ending}`);
  return new DatabaseSync(path, { timeout: longestWait });
}

/** Reading only. `alone`: without its log, where even that can't be opened. */
export function readDatabaseFile(path: string, { alone }: { alone: boolean }): DatabaseSync {
  for (const ending of ['', ...(alone ? [] : besideDatabase)]) checkPlace(`${path}${ending}`);
  const url = pathToFileURL(path);
  if (alone) url.searchParams.set('immutable', '1');
  return new DatabaseSync(url, { readOnly: true });
}

function checkPlace(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats) ordinary(stats, path);
}
