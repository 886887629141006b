import { copyFileSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { AppError } from '../../contract/errors';
import { fileFailure } from '../../files';
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
      const value = { ...store().store };
      // The store takes a list for an object.
      if (existsSync(path) && Array.isArray(JSON.parse(readFileSync(path, 'utf8'))))
        throw new Error('A list stands where an object is expected.');
      return value;
    },
    write(value) {
      const target = store();
      const existed = existsSync(path);
      try {
        if (existed) copyFileSync(path, last);
        target.store = value as Record<string, unknown>;
      } catch (error) {
        throw fileFailure(error, path);
      }
      if (!holds(path, value)) {
        if (existed) renameSync(last, path);
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

function holds(path: string, value: unknown): boolean {
  try {
    return JSON.stringify(JSON.parse(readFileSync(path, 'utf8'))) === JSON.stringify(value);
  } catch {
    return false;
  }
}
