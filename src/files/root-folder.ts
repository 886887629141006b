import { AppError } from '../contract/errors';
import { folderId } from './folder-id';

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
}

export function rootFolder(path: string): RootFolder {
  const id = folderId(path);
  const stands = () => id !== null && folderId(path) === id;
  return {
    path,
    id,
    stands,
    check() {
      if (!stands())
        throw new AppError('vault.lost', `The folder of the vault is not at “${path}” now.`, { path });
    },
  };
}
