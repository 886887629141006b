import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type PrintedText, syncFolder } from '../../../files';
import type { Clock, Log } from '../../foundation';
import { createJournalBases } from './bases';
import { createJournalFiles } from './files';
import { journalName } from './names';
import { type Part, writePart } from './part';
import { type JournalHeader, type JournalRecord, printRecords } from './records';

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

interface JournalParts {
  /** Null: there is nowhere to write now. */
  readonly folder: () => string | null;
  /** What one session left is never overwritten by another of the same path. */
  readonly sessionId: string;
  /** The file that this one goes on from; removed once this one is whole. */
  readonly former?: string | null;
  readonly clock: Clock;
  readonly log: Log;
  /** Why it can't be written; null: it is written again. */
  readonly onState?: (failure: string | null) => void;
}

const syncMs = 150;

/** One closure, since what is appended, begun anew and synced must be of the same file at every moment. */
export function createJournal(parts: JournalParts): Journal {
  const { folder, sessionId, former = null, clock, log, onState = () => undefined } = parts;
  const pathNow = () => {
    const place = folder();
    return place === null ? null : join(place, journalName(sessionId));
  };
  const bases = createJournalBases(folder, sessionId);
  const files = createJournalFiles({ sessionId, former, bases, log, onState });
  let cancelSync: (() => void) | null = null;

  async function sync(): Promise<void> {
    cancelSync?.();
    cancelSync = null;
    const part = files.current;
    if (!part) return;
    try {
      await part.file.sync();
      if (part !== files.current || !files.stands() || !files.isUnnamed) return;
      files.isUnnamed = false;
      await syncFolder(dirname(part.path));
    } catch (error) {
      if (part === files.current) files.fail(error);
    }
  }

  async function finish(part: Part, place: string): Promise<void> {
    try {
      await part.file.sync();
      if (files.next !== part) return;
      files.next = null;
      files.take(part, place);
      await sync();
    } catch (error) {
      files.abandon(part);
      if (!files.current) files.fail(error);
      else log.warn('journal not renewed', { error });
    }
  }

  return {
    get state() {
      if (files.hasFailed) return 'failed';
      return files.current ? 'ok' : 'none';
    },
    get grown() {
      return files.current ? files.current.file.length - files.current.begun : 0;
    },
    keepBase: bases.keep,
    begin(header, base) {
      const path = pathNow();
      if (path === null) return files.fail(new Error('There is no folder for journals.'));
      files.abandon(files.next);
      let part: Part | null = null;
      try {
        part = writePart(header, base, `${path}.new`);
        // The former one is on disk: so is the new one before it takes its place.
        if (files.hasFormer() || existsSync(path)) part.file.syncNow();
        files.take(part, path);
        return true;
      } catch (error) {
        files.abandon(part);
        return files.fail(error);
      }
    },
    renew(header, base) {
      const path = pathNow();
      if (path === null || !files.current || files.hasFailed || files.next) return;
      try {
        const part = writePart(header, base, `${path}.new`);
        files.next = part;
        void finish(part, path);
      } catch (error) {
        log.warn('journal not renewed', { error });
      }
    },
    append(records) {
      // After a gap nothing that follows could be trusted: only a new beginning mends it.
      if (!files.current || files.hasFailed) return files.fail(new Error('Not begun.'));
      if (!files.stands()) return false;
      const bytes = printRecords(records);
      try {
        files.current.file.append(bytes);
      } catch (error) {
        files.abandon(files.next);
        return files.fail(error);
      }
      try {
        files.next?.file.append(bytes);
      } catch {
        files.abandon(files.next);
      }
      cancelSync ??= clock.after(syncMs, () => void sync());
      return true;
    },
    sync,
    overtake: files.overtake,
    overtaken: files.overtaken,
    review: () => void files.stands(),
    close({ keep }) {
      cancelSync?.();
      files.close({ keep, at: pathNow });
    },
  };
}
