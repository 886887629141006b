import { basename, join } from 'node:path';
import { makeOwnFolder, writeNewSync } from '../../files';

const longestName = 60;

/**
 * Text that was never saved and whose note is no more, as a file of its own that any editor opens. Its path; null where
 * it can't be written.
 */
export function keepText(folder: string, notePath: string, text: string, now: number): string | null {
  const name = basename(notePath)
    .replace(/\.(md|markdown)$/i, '')
    .slice(0, longestName);
  const stamp = new Date(now).toISOString().slice(0, 19).replaceAll(':', '.');
  try {
    makeOwnFolder(folder);
    for (let number = 1; ; number++) {
      const path = join(folder, `${name} ${stamp}${number === 1 ? '' : ` ${number}`}.md`);
      if (writeNew(path, text)) return path;
    }
  } catch {
    return null;
  }
}

function writeNew(path: string, text: string): boolean {
  try {
    writeNewSync(path, text);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
