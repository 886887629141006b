import { closeSync, fdatasync, fdatasyncSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';

/** A file of the app's own that only grows. */
export interface GrowingFile {
  /** Bytes. */
  readonly length: number;
  /** Which file it is. */
  readonly inode: bigint;
  /** Whole, or not at all. Throws what writing throws. */
  append(bytes: Buffer): void;
  /** Safe from a power cut when this resolves. Rejects where that is not so. */
  sync(): Promise<void>;
  /** The same, and nothing else goes on meanwhile. */
  syncNow(): void;
  close(): void;
}

/** The file must not exist. */
export function createGrowingFile(path: string): GrowingFile {
  const file = openSync(path, 'wx', 0o600);
  const inode = fstatSync(file, { bigint: true }).ino;
  let length = 0;
  let syncs = 0;
  let isClosed = false;

  /** The number of a file that is closed is given to another one at once. */
  function closeOnceIdle(): void {
    if (isClosed && syncs === 0) closeSync(file);
  }

  return {
    get length() {
      return length;
    },
    inode,
    append(bytes) {
      try {
        for (let done = 0; done < bytes.length; )
          done += writeSync(file, bytes, done, bytes.length - done, length + done);
      } catch (error) {
        try {
          ftruncateSync(file, length);
        } catch {
          // A torn record is cut off when it is read.
        }
        throw error;
      }
      length += bytes.length;
    },
    sync() {
      if (isClosed) return Promise.resolve();
      syncs++;
      return new Promise((resolve, reject) => {
        fdatasync(file, (error) => {
          syncs--;
          closeOnceIdle();
          if (error) reject(error);
          else resolve();
        });
      });
    },
    syncNow: () => fdatasyncSync(file),
    close() {
      if (isClosed) return;
      isClosed = true;
      closeOnceIdle();
    },
  };
}
