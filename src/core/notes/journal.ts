import {
  closeSync,
  fdatasync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Clock, Log } from '../foundation';
import { type JournalHeader, type JournalRecord, printHeader, printRecords } from './journal-file';

/** What must outlive the process: every change, before it is acknowledged. One file a note, outside the vault. */
export interface Journal {
  /** Null: not begun yet, or not writable now. */
  readonly state: 'none' | 'ok' | 'failed';
  /** Bytes appended since it was begun. */
  readonly grown: number;
  /** Begins anew in the place of what was there; the former file stays until this one is whole. False: it can't be written. */
  begin(header: JournalHeader, base: string): boolean;
  /** In the file when this returns true: safe from a kill, and within moments from a power cut. */
  append(records: readonly JournalRecord[]): boolean;
  /** Safe from a power cut when this resolves. */
  sync(): Promise<void>;
  /** `keep`: what is in it is not on disk yet. */
  close(options: { keep: boolean }): void;
}

const syncMs = 150;

/** By session: what one session left is never overwritten by another of the same path. */
const journalName = (sessionId: string) => `${sessionId}.journal`;

function writeAll(file: number, bytes: Buffer, position: number): void {
  let done = 0;
  while (done < bytes.length) done += writeSync(file, bytes, done, bytes.length - done, position + done);
}

export function createJournal({
  folder,
  former = null,
  clock,
  log,
}: {
  /** Null: there is nowhere to write. */
  folder: string | null;
  /** The file that this one goes on from; removed once this one is whole. */
  former?: string | null;
  clock: Clock;
  log: Log;
}): Journal {
  let open: { file: number; path: string; begun: number; length: number; broken: boolean } | null = null;
  let failed = false;
  let cancelSync: (() => void) | null = null;

  function fail(error: unknown): false {
    if (!failed) log.error('journal can not be written', { error });
    failed = true;
    return false;
  }

  function release({ remove }: { remove: string | null }): void {
    if (!open) return;
    closeSync(open.file);
    if (remove !== null) rmSync(remove, { force: true });
    open = null;
  }

  function sync(): Promise<void> {
    cancelSync?.();
    cancelSync = null;
    const file = open?.file;
    if (file === undefined) return Promise.resolve();
    return new Promise((resolve) => {
      fdatasync(file, () => resolve());
    });
  }

  return {
    get state() {
      if (failed) return 'failed';
      return open ? 'ok' : 'none';
    },
    get grown() {
      return open ? open.length - open.begun : 0;
    },
    begin(header, base) {
      if (folder === null) return fail(new Error('There is no folder for journals.'));
      const path = join(folder, journalName(header.sessionId));
      const fresh = `${path}.new`;
      let file: number | null = null;
      try {
        const bytes = printHeader(header, base);
        mkdirSync(folder, { recursive: true });
        rmSync(fresh, { force: true });
        file = openSync(fresh, 'wx', 0o600);
        writeAll(file, bytes, 0);
        // Windows does not rename over a file that is open.
        release({ remove: null });
        renameSync(fresh, path);
        if (former !== null && former !== path) rmSync(former, { force: true });
        former = null;
        open = { file, path, begun: bytes.length, length: bytes.length, broken: false };
        failed = false;
        return true;
      } catch (error) {
        if (file !== null) closeSync(file);
        rmSync(fresh, { force: true });
        return fail(error);
      }
    },
    append(records) {
      // After a gap nothing that follows could be trusted: only a new beginning mends it.
      if (!open || open.broken) return fail(new Error('Not begun.'));
      const bytes = printRecords(records);
      try {
        writeAll(open.file, bytes, open.length);
      } catch (error) {
        open.broken = true;
        try {
          ftruncateSync(open.file, open.length);
        } catch {
          // The torn record is cut off when it is read.
        }
        return fail(error);
      }
      open.length += bytes.length;
      cancelSync ??= clock.after(syncMs, () => void sync());
      return true;
    },
    sync,
    close({ keep }) {
      cancelSync?.();
      release({ remove: keep ? null : (open?.path ?? null) });
    },
  };
}
