import { folderId } from '../../files';
import type { Host } from '../host';
import type { Configuration, OpenVault } from './config/configuration';
import { bundledServer } from './config/launch';
import type { ServerSet } from './server-set';

/** From one open vault to the next, one after the other. */
export interface VaultSwitch {
  /** The root of the vault that is open; null: none is. */
  root(): string | null;
  use(vault: OpenVault | null): Promise<void>;
  /** The vault that was last asked for is open. */
  whenDone(): Promise<void>;
}

export function createVaultSwitch({
  host,
  configuration,
  servers,
  loaded,
}: {
  host: Host;
  configuration: Pick<Configuration, 'setVault'>;
  servers: Pick<ServerSet, 'whenDone' | 'allowAutostart' | 'settleIn'>;
  /** The files were read for the first time. */
  loaded: Promise<void>;
}): VaultSwitch {
  let vault: OpenVault | null = null;
  let folder: string | null = null;
  let last: Promise<void> = loaded;

  async function enter(next: OpenVault | null): Promise<void> {
    await loaded;
    const nextFolder = next && folderId(next.root);
    const isOther = vault?.root !== next?.root || folder !== nextFolder;
    folder = nextFolder;
    if (isOther) {
      vault = null;
      // The old vault's servers are gone before the new one's start.
      await configuration.setVault(null, null);
      await servers.whenDone();
    }
    vault = next;
    if (next !== null) servers.allowAutostart();
    await configuration.setVault(next, next && bundledServer(host, next.root));
    if (isOther) servers.settleIn();
  }

  return {
    root: () => vault?.root ?? null,
    use(next) {
      last = last.then(() => enter(next));
      return last;
    },
    whenDone: () => last,
  };
}
