import { createHash } from 'node:crypto';
import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { largestSetting, readFileAtSync, readFileInsideSync } from '../../../files';
import type { Log } from '../../foundation';
import { createNoteList, newestText } from './note-list';
import { longestText } from './objects';
import { readRecord } from './records';

/** Bytes; a longer index is not looked through. */
const largestLooked = 64 * 1024 * 1024;
const mostCompared = 50;

/**
 * A folder that is not known has what was kept of one that was known at its path, or is no more, if its notes say what they
 * said there: it came back from a backup, was copied to another disk, or was kept by its path alone. Texts of any other folder
 * are nobody else’s.
 */
export function adoptVersions(dataFolder: string, root: string, own: string, log: Log): void {
  const all = join(dataFolder, 'versions');
  for (const name of namesIn(all)) {
    const folder = join(all, name);
    const [formerRoot, id] = readFolderName(folder);
    if (!/^[0-9a-f]{16}$/.test(name) || formerRoot === undefined) continue;
    if (id !== undefined && formerRoot !== root && existsSync(formerRoot)) continue;
    if (!standsIn(root, folder)) continue;
    log.info('versions of a folder that is known anew', { folder, root });
    renameSync(folder, own);
    return;
  }
}

/** For a person who looks into the folder, and to find it by where its vault was. */
export const folderName = (root: string, id: string) => `${root}\n${id}\n`;

function readFolderName(folder: string): (string | undefined)[] {
  try {
    return readFileAtSync(join(folder, 'vault'), largestSetting)
      .toString('utf8')
      .split('\n')
      .map((line) => line || undefined);
  } catch {
    return [];
  }
}

/** Of the newest notes that were kept, at least half stand there word by word. */
function standsIn(root: string, folder: string): boolean {
  const list = createNoteList();
  try {
    const index = readFileAtSync(join(folder, 'index.log'), largestLooked).toString('utf8');
    for (const line of index.split('\n')) {
      const record = readRecord(line);
      if (record) list.apply(record);
    }
  } catch {
    return false;
  }
  const newest = [...list.all()]
    .flatMap((record) => (record.isGone ? [] : (newestText(record) ?? [])))
    .sort((a, b) => b.at - a.at)
    .slice(0, mostCompared);
  const same = newest.filter(({ path, object }) => hashAt(root, path) === object).length;
  return same > 0 && same * 2 >= newest.length;
}

function hashAt(root: string, path: string): string | null {
  try {
    return createHash('sha256')
      .update(readFileInsideSync(root, path, longestText))
      .digest('hex');
  } catch {
    return null;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
