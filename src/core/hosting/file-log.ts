import { lstatSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { appendAtSync, makeOwnFolder } from '../../files';
import { createLog, type Log, setAside, stateOf } from '../foundation';

/** Bytes after which a new file is begun; one old one is kept. */
const limit = 5 * 1024 * 1024;

/** One JSON object a line in `<folder>/interlinear.log`. A log that cannot be written is no reason to stop. */
export function createFileLog(folder: string): Log {
  const path = join(folder, 'interlinear.log');
  let size = 0;
  try {
    makeOwnFolder(folder);
    size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    // Said by whoever needs the data folder more than the log does.
  }
  return createLog((record) => {
    const line = `${JSON.stringify({ ...record, at: new Date(record.at).toISOString() })}\n`;
    try {
      if (size > limit) {
        rotate(path);
        size = 0;
      }
      append(path, line);
      size += Buffer.byteLength(line);
    } catch {
      // See above.
    }
  });
}

function rotate(path: string): void {
  const old = `${path}.1`;
  const stats = lstatSync(old, { throwIfNoEntry: false });
  if (stats && !stats.isFile()) setAside(old);
  renameSync(path, old);
}

/** What is no ordinary file is put out of the way. */
function append(path: string, line: string): void {
  try {
    appendAtSync(path, line);
  } catch (error) {
    if (stateOf(error) !== 'damaged' || setAside(path) === null) throw error;
    appendAtSync(path, line);
  }
}
