import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  writeSync,
} from 'node:fs';

/** A file of the app's own that only grows. */
export interface GrowingFile {
  /** Bytes. */
  readonly length: number;
  /** Whether it is at this path, with nothing in it but what was appended here. Throws what looking throws. */
  stands(path: string): 'yes' | 'another' | 'changed';
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
  const { ino, mtimeNs } = fstatSync(file, { bigint: true });
  /** Nanoseconds; of the last write here. */
  let modified = mtimeNs;
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
    stands(path) {
      const stats = lstatSync(path, { bigint: true });
      if (stats.ino !== ino) return 'another';
      // Windows tells by a path late when a file was written that is open.
      const isTouched = process.platform !== 'win32' && stats.mtimeNs !== modified;
      return stats.size === BigInt(length) && !isTouched ? 'yes' : 'changed';
    },
    append(bytes) {
      try {
        for (let offset = 0; offset < bytes.length; )
          offset += writeSync(file, bytes, offset, bytes.length - offset, length + offset);
      } catch (error) {
        try {
          ftruncateSync(file, length);
        } catch {
          // A torn record is cut off when it is read.
        }
        throw error;
      }
      length += bytes.length;
      modified = fstatSync(file, { bigint: true }).mtimeNs;
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
