import { closeSync, constants, existsSync, fstatSync, openSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { AppError } from '../contract/errors';
import { folderId, idOf } from './folder-id';

/**
 * The folder that was opened. At its path nothing may stand by now, the empty folder on which its disk was mounted, or
 * somebody else's: nothing is read there for the vault, and nothing written.
 */
export interface RootFolder {
  readonly path: string;
  /** Null: it was not there when it was looked for. */
  readonly id: string | null;
  stands(): boolean;
  /** To be called in the same tick as something is written; throws `vault.lost`. */
  check(): void;
  /**
   * Does at once what is to be done at a place inside; throws `vault.lost`. On Linux it is done in this very folder,
   * also when a disk is pulled, or another folder comes, in the middle of it.
   */
  inside(absolute: string, work: (place: string) => void): void;
}

export function rootFolder(path: string): RootFolder {
  const id = folderId(path);
  const stands = () => id !== null && folderId(path) === id;
  function check() {
    if (!stands())
      throw new AppError('vault.lost', `The folder of the vault is not at “${path}” now.`, { path });
  }
  return {
    path,
    id,
    stands,
    check,
    inside(absolute, work) {
      check();
      const within = relative(path, absolute);
      // A link may lead to it from outside.
      const opened = within.split(sep)[0] === '..' ? null : openFolder(path);
      if (opened === null) return work(absolute);
      try {
        if (idOf(fstatSync(opened.file, { bigint: true })) !== id) return check();
        work(join(opened.path, within));
      } catch (error) {
        throw named(error, opened.path, path);
      } finally {
        closeSync(opened.file);
      }
    },
  };
}

/** The same error with the path that everybody knows, wherever it tells of one. */
function named(error: unknown, alias: string, path: string): unknown {
  if (!(error instanceof Error)) return error;
  for (const key of ['message', 'stack', 'path', 'dest'] as const) {
    const text: unknown = Reflect.get(error, key);
    if (typeof text === 'string')
      Reflect.set(
        error,
        key,
        text.replaceAll(alias, () => path),
      );
  }
  return error;
}

/** A path that leads to the folder that is open, whatever is mounted at its own by now; null where the system has none. */
function openFolder(path: string): { file: number; path: string } | null {
  if (process.platform !== 'linux') return null;
  const file = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  const alias = `/proc/self/fd/${file}`;
  if (existsSync(alias)) return { file, path: alias };
  closeSync(file);
  return null;
}
