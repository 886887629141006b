import { AppError } from '../../contract/errors';
import type { Current, Opened } from './opened';

/** Runs what is done in the vault only where its own folder stands. */
export interface FolderGuard {
  /** Throws `vault.none`. */
  present(): Opened;
  /** A failure may mean that the whole folder is gone, and is then told as that. */
  work<T>(task: (vault: Opened) => Promise<T>): Promise<T>;
  /** What was read while another folder stood there is not the vault's. */
  look<T>(task: (vault: Opened) => Promise<T>): Promise<T>;
}

export function createFolderGuard(current: Current, lose: () => void): FolderGuard {
  function present(): Opened {
    if (!current.vault) throw new AppError('vault.none', 'No vault is open.', {});
    return current.vault;
  }

  async function work<T>(task: (vault: Opened) => Promise<T>): Promise<T> {
    const vault = present();
    try {
      vault.home.check();
      return await task(vault);
    } catch (error) {
      checkStands(vault);
      throw error;
    }
  }

  function checkStands(vault: Opened): void {
    if (vault.home.stands()) return;
    if (current.vault === vault) lose();
    vault.home.check();
  }

  async function look<T>(task: (vault: Opened) => Promise<T>): Promise<T> {
    return work(async (vault) => {
      const outcome = await task(vault);
      vault.home.check();
      return outcome;
    });
  }

  return { present, work, look };
}
