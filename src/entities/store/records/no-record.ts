import { accessSync, constants, lstatSync, type Stats } from 'node:fs';
import { basename, dirname } from 'node:path';
import { isAppError } from '../../../contract/errors';
import { vaultLock } from '../../../files';
import { ToolFailure } from '../../base/failures';
import { ownFolder, ownPath } from './own-path';

interface Trouble {
  readonly why: string;
  readonly way: 'set-aside' | 'by-hand' | 'wait';
}

const hints: Readonly<Record<Trouble['way'], string>> = {
  'set-aside': 'check_project names it and, with its key in fix, sets it aside.',
  'by-hand': 'Put that right, or move it away, by hand; then try again.',
  wait: 'Try again.',
};

/** What stands in the place of a record and is none. */
export class NoRecord extends ToolFailure {
  readonly path: string;
  /** Its name in the folder; empty for the folder itself. */
  readonly record: string;
  readonly trouble: Trouble;

  constructor(name: string, trouble: Trouble) {
    const path = name === '' ? ownFolder : ownPath(name);
    super('read_only', `${path} can’t be used: ${trouble.why}`, { hint: hints[trouble.way] });
    this.path = path;
    this.record = name;
    this.trouble = trouble;
  }
}

export const lockName = basename(vaultLock);
export const repairLockName = 'vault-repair.lock';

/** Whether it is repaired without the lock, since it is what keeps everybody from taking it. */
export const isOfLock = (path: string) =>
  [lockName, repairLockName].some((lock) => basename(path).startsWith(lock));

/** Throws what tells of anything but a file, or nothing, at a place. */
export function checkKind(place: string): void {
  const stats = lstatSync(place, { throwIfNoEntry: false });
  if (stats && !stats.isFile())
    throw new NoRecord(basename(place), { why: `it is ${kindOf(stats)}.`, way: 'set-aside' });
}

function kindOf(stats: Stats): string {
  if (stats.isSymbolicLink()) return 'a link';
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}

/** Where the whole folder may not be written no record is to blame. */
export function checkWritable(place: string): void {
  const stats = lstatSync(place, { throwIfNoEntry: false });
  if (!stats || !mayWrite(dirname(place))) return;
  accessSync(place, constants.W_OK);
  // Root may write anything; the permission bits still say what the owner wants.
  if ((stats.mode & 0o222) === 0 && !isOfLock(place))
    throw Object.assign(new Error('Read-only.'), { code: 'EACCES' });
}

function mayWrite(place: string): boolean {
  try {
    accessSync(place, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const troubles: Readonly<Record<string, Trouble>> = {
  EACCES: { why: 'it may not be read or written.', way: 'set-aside' },
  EPERM: { why: 'the system keeps it from being changed (it may be marked as immutable).', way: 'by-hand' },
  EROFS: { why: 'its disk can only be read.', way: 'by-hand' },
  // It became something else in this moment.
  EISDIR: { why: 'it is a folder.', way: 'set-aside' },
  ELOOP: { why: 'it is a link.', way: 'set-aside' },
  ENXIO: { why: 'it is a pipe or a socket.', way: 'set-aside' },
};

/** As it is where it tells of something else, as a full disk. */
export function refusalOf(name: string, error: unknown): unknown {
  if (error instanceof ToolFailure) return error;
  if (name === '' && isAppError(error, 'vault.outside'))
    return new NoRecord('', {
      why: 'it is a link that leads out of the vault, or in a circle.',
      way: 'by-hand',
    });
  const { code = '' } = error as NodeJS.ErrnoException;
  const trouble = troubles[code];
  if (!trouble) return error;
  // Somebody else may be holding it.
  const isOthers = code === 'EACCES' && isOfLock(name);
  return new NoRecord(name, isOthers ? { ...trouble, way: 'by-hand' } : trouble);
}
