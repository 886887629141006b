import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { temporaryBeside } from './durable-write';
import { atOnce, ordinary } from './read-file';
import { syncFolderNow } from './sync-folder';

/**
 * The one writer of small files of the app's own that have to be written at once. It never opens what is there: a pipe in
 * the place of a file would hold up the whole process. Files are for their owner alone.
 */
export function replaceFileSync(path: string, data: string): void {
  const temporary = temporaryBeside(path);
  try {
    writeNewSync(temporary, data);
    renameOver(temporary, path);
    syncFolderNow(dirname(path));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** A file that must not exist yet: `EEXIST`. */
export function writeNewSync(path: string, data: string | Uint8Array): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(file, data);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  syncFolderNow(dirname(path));
}

/** Adds to an ordinary file, which is made where there is none. */
export function appendAtSync(path: string, data: string): void {
  const { O_APPEND, O_CREAT, O_WRONLY } = constants;
  const file = openSync(path, O_WRONLY | O_APPEND | O_CREAT | atOnce, 0o600);
  try {
    ordinary(fstatSync(file), path);
    writeFileSync(file, data);
  } finally {
    closeSync(file);
  }
}

/** A folder in the place of a file keeps its content under another name. */
function renameOver(temporary: string, path: string): void {
  try {
    renameSync(temporary, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EISDIR' && code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
    renameSync(path, `${path}.damaged-${Date.now()}`);
    renameSync(temporary, path);
  }
}
