import { lstatSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { RecoveryPart } from '../../../contract/recovery';
import { replaceFileSync } from '../../../files';
import { createObservable, type Log, type Observable } from '../../foundation';
import {
  type About,
  aboutFile,
  entriesOf,
  modifiedAt,
  readAboutOrGuess,
  readFolder,
  type StoredRecovery,
} from './files';
import { isSame, listRecoveries, textOf, unknownRecovery } from './stored-texts';
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

  const list = () => listRecoveries(folder, log);

  return {
    revision,
    list,
    read: (recovery, part) => textOf(recovery, part, log),
    find(id) {
      const recovery = list().find((one) => one.id === id);
      if (!recovery) throw unknownRecovery(id);
      return recovery;
    },
    add(recovery) {
      try {
        const same = list().find((stored) => isSame(stored, recovery, log));
        if (same) return same;
        const place = writeRecovery(folder, recovery);
        if (recovery.reason === 'conflict') {
          const dropped = makeRoom(folder, list(), place);
          if (dropped > 0) onDropped(dropped);
        }
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
      const place = inFolder(folder, recovery, log);
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

/** Removes the oldest conflicts beyond the limits, but never the newest; how many. */
function makeRoom(folder: string, recoveries: readonly StoredRecovery[], newest: string): number {
  let [count, bytes, dropped] = [0, 0, 0];
  for (const conflict of recoveries.filter(({ reason }) => reason === 'conflict')) {
    count++;
    bytes += conflict.parts.reduce((sum, part) => sum + part.bytes, 0);
    if (conflict.place === newest || (count <= mostConflicts && bytes <= mostConflictBytes)) continue;
    removeRecovery(folder, conflict.place);
    dropped++;
  }
  return dropped;
}

/** What an earlier version wrote as a file gets a folder, in which more can be said of it. */
function inFolder(folder: string, recovery: StoredRecovery, log: Log): string {
  const { place, name, note, vault, reason, at, file } = recovery;
  if (lstatSync(place).isDirectory()) return place;
  const texts = { text: textOf(recovery, 'text', log) };
  const folderPlace = writeRecovery(folder, { note, vault, reason, at, file, texts }, name);
  rmSync(place);
  return folderPlace;
}
