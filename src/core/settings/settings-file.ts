import { renameSync, rmSync } from 'node:fs';
import { AppError } from '../../contract/errors';
import { fileFailure, largestSetting, readFileAtSync, writeNewSync } from '../../files';
import type { SettingsFile } from '../host';

/** The part of `conf` and `electron-store` that is used. */
interface Store {
  store: Record<string, unknown>;
}

/**
 * Settings in the file of a `conf` store. `open` is called at first use and may throw where the file is damaged.
 * The store's own writing takes a short write on a full disk for a success, so a copy is kept until the new file
 * has been read back.
 */
export function createSettingsFile(path: string, open: () => Store): SettingsFile {
  let opened: Store | undefined;
  const store = () => {
    opened ??= open();
    return opened;
  };
  const last = `${path}.last`;

  return {
    path,
    read() {
      // Before the store opens whatever is there.
      if (Array.isArray(stored(path))) throw new Error('A list stands where an object is expected.');
      return { ...store().store };
    },
    write(value) {
      let former: Buffer | null = null;
      try {
        former = bytesOf(path);
        rmSync(last, { force: true, recursive: true });
        if (former) writeNewSync(last, former);
        store().store = value as Record<string, unknown>;
      } catch (error) {
        throw fileFailure(error, path);
      }
      if (!holds(path, value)) {
        if (former) renameSync(last, path);
        throw new AppError('vault.disk-full', 'The settings could not be saved: the disk is full.', { path });
      }
      rmSync(last, { force: true });
    },
    setAside() {
      opened = undefined;
      const aside = `${path}.damaged-${Date.now()}`;
      renameSync(path, aside);
      return aside;
    },
  };
}

/** Null where there is no file. */
function bytesOf(path: string): Buffer | null {
  try {
    return readFileAtSync(path, largestSetting);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function stored(path: string): unknown {
  return JSON.parse(bytesOf(path)?.toString('utf8') ?? 'null');
}

function holds(path: string, value: unknown): boolean {
  try {
    return JSON.stringify(stored(path)) === JSON.stringify(value);
  } catch {
    return false;
  }
}
