import type { VaultState } from '../../contract/vault';
import type { RootFolder } from '../../files';
import type { Observable } from '../foundation';
import type { Files } from './files/files';
import type { ReplacedFiles } from './files/replaced-files';
import type { Observer } from './watch/observe';
import type { Sweeps } from './watch/sweeps';

/** All that belongs to one folder while it is the vault. */
export interface Opened {
  readonly root: string;
  /** Another one where its disk gave it another number when it came back. */
  home: RootFolder;
  files: Files;
  replaced: ReplacedFiles;
  observer: Observer;
  sweeps: Sweeps;
  stopWaiting: (() => void) | null;
}

/** Which vault is open now, and what is told of it. */
export interface Current {
  vault: Opened | null;
  readonly state: Observable<VaultState>;
}
