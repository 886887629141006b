import { lstatSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { AppError } from '../../../contract/errors';
import type { RecoveryPart } from '../../../contract/recovery';
import { readFileAtSync, replaceFileSync } from '../../../files';
import { createObservable, type Log, type Observable } from '../../foundation';
import {
  type About,
  aboutFile,
  entriesOf,
  modifiedAt,
  readAboutOrGuess,
  readFolder,
  readOlder,
  type StoredRecovery,
} from './files';
import { type NewRecovery, removeRecovery, writeRecovery } from './write';

/**
 * Texts that have no place in a note, each in a folder of its own in the data folder: files that any editor opens, and what is
 * known of them. A folder is there whole or not at all.
 */
export interface RecoveryStore {
  /** Another number whenever something is new, restored or gone. */
  readonly revision: Observable<number>;
  /** On disk when it returns; the same text of the same note is kept once. Null: it can't be written. */
  add(recovery: NewRecovery): StoredRecovery | null;
  /** Puts a file of the app's own beside the texts; false where it can't be moved. */
  moveIn(recovery: StoredRecovery, file: string): boolean;
  list(): StoredRecovery[];
  /** Throws `recovery.unknown`. */
  find(id: string): StoredRecovery;
  read(recovery: StoredRecovery, part: RecoveryPart): string;
  change(recovery: StoredRecovery, change: Partial<Pick<About, 'note' | 'restored'>>): void;
  discard(recovery: StoredRecovery): void;
  /** Removes what a process that was killed had not finished. */
  tidy(): void;
}

const largestText = 512 * 1024 * 1024;
const abandonedMs = 3_600_000;
const mostConflicts = 100;
const mostConflictBytes = 64 * 1024 * 1024;

export function createRecoveryStore({
  folder,
  log,
  now,
  onDropped,
}: {
  /** Absolute. */
  folder: string;
  log: Log;
  now: () => number;
  /** So many conflicts, the oldest, were removed to make room. */
  onDropped: (count: number) => void;
}): RecoveryStore {
  const revision = createObservable(0);
  const changed = () => revision.update((number) => number + 1);

  function list(): StoredRecovery[] {
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

  const textOf = (recovery: StoredRecovery, part: RecoveryPart): string => {
    const file = recovery.parts.find((one) => one.part === part)?.file;
    if (file === undefined) throw unknownRecovery(recovery.id);
    try {
      return readFileAtSync(file, largestText).toString('utf8');
    } catch (error) {
      log.warn('recovered text not read', { file, error });
      throw unknownRecovery(recovery.id);
    }
  };

  function isSame(stored: StoredRecovery, { note, vault, reason, texts }: NewRecovery): boolean {
    const isOfSame = stored.note === note && stored.vault?.root === vault?.root && stored.reason === reason;
    if (!isOfSame || stored.restored || stored.parts.length !== Object.keys(texts).length) return false;
    return stored.parts.every(({ part, bytes }) => {
      const text = texts[part];
      return text !== undefined && bytes === Buffer.byteLength(text) && textOf(stored, part) === text;
    });
  }

  /** What an earlier version wrote as a file gets a folder, in which more can be said of it. */
  function inFolder(recovery: StoredRecovery): string {
    const { place, name, note, vault, reason, at, file } = recovery;
    if (lstatSync(place).isDirectory()) return place;
    const texts = { text: textOf(recovery, 'text') };
    const inFolder = writeRecovery(folder, { note, vault, reason, at, file, texts }, name);
    rmSync(place);
    return inFolder;
  }

  function makeRoom(newest: string): void {
    let [count, bytes, dropped] = [0, 0, 0];
    for (const conflict of list().filter(({ reason }) => reason === 'conflict')) {
      count++;
      bytes += conflict.parts.reduce((sum, part) => sum + part.bytes, 0);
      if (conflict.place === newest || (count <= mostConflicts && bytes <= mostConflictBytes)) continue;
      removeRecovery(folder, conflict.place);
      dropped++;
    }
    if (dropped > 0) onDropped(dropped);
  }

  return {
    revision,
    list,
    read: textOf,
    find(id) {
      const recovery = list().find((one) => one.id === id);
      if (!recovery) throw unknownRecovery(id);
      return recovery;
    },
    add(recovery) {
      try {
        const same = list().find((stored) => isSame(stored, recovery));
        if (same) return same;
        const place = writeRecovery(folder, recovery);
        if (recovery.reason === 'conflict') makeRoom(place);
        changed();
        return readFolder(place);
      } catch (error) {
        log.error('recovered text not kept', { note: recovery.note, error });
        return null;
      }
    },
    moveIn(recovery, file) {
      try {
        renameSync(file, join(recovery.place, basename(file).replace(/(\.damaged)?$/, '.damaged')));
        return true;
      } catch (error) {
        log.warn('damaged journal not moved', { file, error });
        return false;
      }
    },
    change(recovery, change) {
      const place = inFolder(recovery);
      const about = { ...readAboutOrGuess(place), ...change };
      replaceFileSync(join(place, aboutFile), `${JSON.stringify(about, null, 2)}\n`);
      changed();
    },
    discard(recovery) {
      try {
        removeRecovery(folder, recovery.place);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw unknownRecovery(recovery.id);
        throw error;
      }
      changed();
    },
    tidy() {
      for (const { name } of entriesOf(folder)) {
        const place = join(folder, name);
        const isLeft =
          /^\.(new|gone)-[0-9a-f]{12}$/.test(name) && now() - (modifiedAt(place) ?? now()) > abandonedMs;
        if (isLeft) rmSync(place, { recursive: true, force: true });
      }
    },
  };
}

function unknownRecovery(id: string): AppError<'recovery.unknown'> {
  return new AppError('recovery.unknown', `There is no recovered text “${id}”.`, { id });
}
