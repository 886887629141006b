import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, lstatSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { RecoveryPart } from '../../../contract/recovery';
import { makeOwnFolder, writeNewSync } from '../../../files';
import { type About, aboutFile, nameOf, stampOf, suffixes } from './files';

export type RecoveryTexts = Readonly<Partial<Record<RecoveryPart, string>>>;

export interface NewRecovery extends Omit<About, 'format' | 'parts' | 'restored'> {
  readonly texts: RecoveryTexts;
}

/** On disk when it returns, whole or not at all; its folder. */
export function writeRecovery(
  folder: string,
  { texts, ...facts }: NewRecovery,
  name = nameOf(facts.note),
): string {
  makeOwnFolder(folder);
  const fresh = join(folder, `.new-${randomBytes(6).toString('hex')}`);
  mkdirSync(fresh, { mode: 0o700 });
  try {
    const parts: About['parts'] = {};
    for (const part of RecoveryPart.options) {
      const text = texts[part];
      if (text === undefined) continue;
      parts[part] = `${name}${suffixes[part]}.md`;
      writeNewSync(join(fresh, parts[part]), text);
    }
    const about: About = { format: 1, ...facts, parts, restored: null };
    writeNewSync(join(fresh, aboutFile), `${JSON.stringify(about, null, 2)}\n`);
    const place = putInPlace(fresh, folder, `${name} ${stampOf(facts.at)}`);
    syncFolder(folder);
    return place;
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    throw error;
  }
}

/** At once; what is left of it when the process dies is no recovered text. */
export function removeRecovery(folder: string, place: string): void {
  const trash = join(folder, `.gone-${randomBytes(6).toString('hex')}`);
  renameSync(place, trash);
  rmSync(trash, { recursive: true, force: true });
}

function putInPlace(fresh: string, folder: string, name: string): string {
  for (let number = 1; ; number++) {
    const place = join(folder, number === 1 ? name : `${name} ${number}`);
    // An empty folder would be replaced.
    if (lstatSync(place, { throwIfNoEntry: false })) continue;
    try {
      renameSync(fresh, place);
      return place;
    } catch (error) {
      if (!['EEXIST', 'ENOTEMPTY', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
        throw error;
    }
  }
}

function syncFolder(folder: string): void {
  // Not possible on Windows, where the rename is durable enough by itself.
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } catch {
    // Some file systems refuse to sync a folder.
  } finally {
    closeSync(handle);
  }
}
