import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type PrintedText, syncFolder, syncFolderNow } from '../../../files';
import type { Clock, Log } from '../../foundation';
import { createJournalBases } from './bases';
import { createGrowingFile, type GrowingFile } from './growing-file';
import { journalName, overtakenName } from './names';
import { type JournalHeader, type JournalRecord, printHeader, printRecords } from './records';

/** What must outlive the process: every change, before it is acknowledged. One file a note, outside the vault. */
export interface Journal {
  /** `none`: not begun yet. `failed`: not writable now, or its file is not at its place, or not as it was written. */
  readonly state: 'none' | 'ok' | 'failed';
  /** Bytes appended since it was begun. */
  readonly grown: number;
  /** Puts a long base into a file of its own, the name of which a header may say until the next one is put there. */
  keepBase(base: PrintedText): Promise<string | null>;
  /**
   * Begins anew in the place of what was there; the former file stays until this one is whole, and on disk. False: it can't
   * be written.
   */
  begin(header: JournalHeader, base: () => string): boolean;
  /**
   * The same later: until the new file is on disk, what is appended goes to both. For a journal that is only too long, and
   * not while a save is under way.
   */
  renew(header: JournalHeader, base: () => string): void;
  /** In the file when this returns true: safe from a kill, and within moments from a power cut. */
  append(records: readonly JournalRecord[]): boolean;
  /** Safe from a power cut when this resolves, if it can be written at all. */
  sync(): Promise<void>;
  /**
   * For a journal that can't be written, before a text that it does not have replaces the note: with the hash of that text in
   * its name it is known at the next start to be older than the note. A name can be given where no byte can.
   */
  overtake(hash: string): Promise<void>;
  /** That text stands in the note: what the journal has is older, and no more needed. */
  overtaken(): void;
  /** A file that somebody moved, deleted or cut takes every byte, and nobody reads it again: then it has failed. */
  review(): void;
  /** `keep`: what is in it is not on disk yet. */
  close(options: { keep: boolean }): void;
}

interface Part {
  readonly file: GrowingFile;
  readonly path: string;
  readonly baseFile: string | null;
  /** Its length when it was begun. */
  readonly begun: number;
}

const syncMs = 150;

/** What can't be removed from a disk that takes nothing is told by what can't be written to it. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // See above.
  }
}

export function createJournal({
  folder,
  sessionId,
  former = null,
  clock,
  log,
  onState = () => undefined,
}: {
  /** Null: there is nowhere to write now. */
  folder: () => string | null;
  /** What one session left is never overwritten by another of the same path. */
  sessionId: string;
  /** The file that this one goes on from; removed once this one is whole. */
  former?: string | null;
  clock: Clock;
  log: Log;
  /** Why it can't be written; null: it is written again. */
  onState?: (failure: string | null) => void;
}): Journal {
  const pathNow = () => {
    const place = folder();
    return place === null ? null : join(place, journalName(sessionId));
  };
  const bases = createJournalBases(folder, sessionId);
  /** Where it was begun last. */
  let begunAt: string | null = null;
  let current: Part | null = null;
  let next: Part | null = null;
  let failed = false;
  /** Its name is not on disk yet. */
  let isUnnamed = false;
  let cancelSync: (() => void) | null = null;

  function fail(error: unknown): false {
    if (failed) return false;
    failed = true;
    log.error('journal can not be written', { error });
    onState(error instanceof Error ? error.message : String(error));
    return false;
  }

  function works(): void {
    if (failed) onState(null);
    failed = false;
  }

  function stands(): boolean {
    if (!current || failed) return !failed;
    const { path, file } = current;
    try {
      const standing = file.stands(path);
      if (standing === 'yes') return true;
      const is = standing === 'another' ? 'Another file is at' : 'Another program changed';
      return fail(new Error(`${is} ${path}.`));
    } catch (error) {
      return fail(error);
    }
  }

  function write(header: JournalHeader, base: () => string, at: string): Part {
    const isThere = header.baseFile !== null && existsSync(join(dirname(at), header.baseFile));
    const baseFile = isThere ? header.baseFile : null;
    const bytes = printHeader({ ...header, baseFile }, baseFile === null ? base() : '');
    rmSync(at, { force: true });
    const file = createGrowingFile(at);
    try {
      file.append(bytes);
    } catch (error) {
      file.close();
      quietly(() => rmSync(at, { force: true }));
      throw error;
    }
    return { file, path: at, baseFile, begun: file.length };
  }

  /** What is written takes the place of what there was. Throws what renaming throws. */
  function take(part: Part, place: string): void {
    // Windows does not rename over a file that is open.
    current?.file.close();
    current = null;
    renameSync(part.path, place);
    current = { ...part, path: place };
    begunAt = place;
    isUnnamed = true;
    works();
    bases.keepOnly(part.baseFile);
    if (former !== null && former !== place) {
      syncFolderNow(dirname(place));
      rmSync(former, { force: true });
    }
    former = null;
  }

  function abandon(part: Part | null): void {
    if (!part) return;
    part.file.close();
    quietly(() => rmSync(part.path, { force: true }));
    if (next === part) next = null;
  }

  async function sync(): Promise<void> {
    cancelSync?.();
    cancelSync = null;
    const part = current;
    if (!part) return;
    try {
      await part.file.sync();
      if (part !== current || !stands() || !isUnnamed) return;
      isUnnamed = false;
      await syncFolder(dirname(part.path));
    } catch (error) {
      if (part === current) fail(error);
    }
  }

  async function finish(part: Part, place: string): Promise<void> {
    try {
      await part.file.sync();
      if (next !== part) return;
      next = null;
      take(part, place);
      await sync();
    } catch (error) {
      abandon(part);
      if (!current) fail(error);
      else log.warn('journal not renewed', { error });
    }
  }

  /** The former one stays where it can't be renamed. */
  async function overtake(hash: string): Promise<void> {
    const at = begunAt ?? former;
    if (at === null) return;
    const marked = join(dirname(at), overtakenName(sessionId, hash));
    if (at === marked) return;
    try {
      renameSync(at, marked);
      current?.file.close();
      current = null;
      begunAt = null;
      former = marked;
      await syncFolder(dirname(marked));
    } catch (error) {
      log.warn('journal not marked', { error });
    }
  }

  return {
    get state() {
      if (failed) return 'failed';
      return current ? 'ok' : 'none';
    },
    get grown() {
      return current ? current.file.length - current.begun : 0;
    },
    keepBase: bases.keep,
    begin(header, base) {
      const path = pathNow();
      if (path === null) return fail(new Error('There is no folder for journals.'));
      abandon(next);
      let part: Part | null = null;
      try {
        part = write(header, base, `${path}.new`);
        // The former one is on disk: so is the new one before it takes its place.
        if (former !== null || existsSync(path)) part.file.syncNow();
        take(part, path);
        return true;
      } catch (error) {
        abandon(part);
        return fail(error);
      }
    },
    renew(header, base) {
      const path = pathNow();
      if (path === null || !current || failed || next) return;
      try {
        next = write(header, base, `${path}.new`);
        void finish(next, path);
      } catch (error) {
        log.warn('journal not renewed', { error });
      }
    },
    append(records) {
      // After a gap nothing that follows could be trusted: only a new beginning mends it.
      if (!current || failed) return fail(new Error('Not begun.'));
      if (!stands()) return false;
      const bytes = printRecords(records);
      try {
        current.file.append(bytes);
      } catch (error) {
        abandon(next);
        return fail(error);
      }
      try {
        next?.file.append(bytes);
      } catch {
        abandon(next);
      }
      cancelSync ??= clock.after(syncMs, () => void sync());
      return true;
    },
    sync,
    overtake,
    overtaken() {
      const at = former;
      if (at === null || current) return;
      former = null;
      quietly(() => rmSync(at, { force: true }));
    },
    review: () => void stands(),
    close({ keep }) {
      cancelSync?.();
      if (failed) onState(null);
      abandon(next);
      const part = current;
      current = null;
      part?.file.close();
      const path = begunAt ?? former ?? pathNow();
      if (!keep && path !== null) quietly(() => rmSync(path, { force: true }));
      // Without a file of its own the former one is what there is.
      if (part || !keep) bases.close(keep ? (part?.baseFile ?? null) : null);
    },
  };
}
