import { join } from 'node:path';
import { AppError } from '../../../contract/errors';
import type { RecoveryPart } from '../../../contract/recovery';
import { readFileAtSync } from '../../../files';
import type { Log } from '../../foundation';
import { entriesOf, readFolder, readOlder, type StoredRecovery } from './files';
import type { NewRecovery } from './write';

const largestText = 512 * 1024 * 1024;

/** The newest first. */
export function listRecoveries(folder: string, log: Log): StoredRecovery[] {
  return entriesOf(folder)
    .flatMap((entry) => {
      if (entry.name.startsWith('.')) return [];
      try {
        return entry.isDirectory()
          ? [readFolder(join(folder, entry.name))]
          : [readOlder(join(folder, entry.name))];
      } catch (error) {
        log.warn('recovered text not listed', { name: entry.name, error });
        return [];
      }
    })
    .sort((a, b) => b.at - a.at);
}

/** Throws `recovery.unknown`. */
export function textOf(recovery: StoredRecovery, part: RecoveryPart, log: Log): string {
  const file = recovery.parts.find((one) => one.part === part)?.file;
  if (file === undefined) throw unknownRecovery(recovery.id);
  try {
    return readFileAtSync(file, largestText).toString('utf8');
  } catch (error) {
    log.warn('recovered text not read', { file, error });
    throw unknownRecovery(recovery.id);
  }
}

/** The same text of the same note, not restored yet. */
export function isSame(
  stored: StoredRecovery,
  { note, vault, reason, texts }: NewRecovery,
  log: Log,
): boolean {
  const isOfSame = stored.note === note && stored.vault?.root === vault?.root && stored.reason === reason;
  if (!isOfSame || stored.restored || stored.parts.length !== Object.keys(texts).length) return false;
  return stored.parts.every(({ part, bytes }) => {
    const text = texts[part];
    return text !== undefined && bytes === Buffer.byteLength(text) && textOf(stored, part, log) === text;
  });
}

export function unknownRecovery(id: string): AppError<'recovery.unknown'> {
  return new AppError('recovery.unknown', `There is no recovered text “${id}”.`, { id });
}
