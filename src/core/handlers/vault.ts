import type { Handlers } from '../../contract/define';
import type { vaultOperations } from '../../contract/vault';
import type { App } from '../app';

export function vaultHandlers({
  agents,
  closeVault,
  host,
  openSampleVault,
  openVault,
  recentVaults,
  trustVault,
  vault,
}: App): Handlers<typeof vaultOperations> {
  return {
    'vault.state': (_input, { signal }) => vault.state.follow(signal),
    'vault.open': async ({ path, force }) => ({ path: await openVault(path, { force }) }),
    'vault.close': ({ force }) => closeVault({ force }),
    'vault.lookAround': () => vault.lookAround(),
    'vault.openSample': async ({ force }) => ({ path: await openSampleVault({ force }) }),
    'vault.recent': () => recentVaults(),
    'vault.trust': ({ path, trusted, agreed }) => trustVault(path, trusted, agreed),
    'vault.entries': (_input, { signal }) => vault.followEntries(signal),
    'vault.read': ({ path }) => vault.read(path),
    'vault.write': ({ path, text, expectedVersion }) => vault.write(path, text, expectedVersion),
    async 'vault.create'({ path, text }) {
      agents.made(path, text);
      const made = await vault.create(path, text);
      if (made.path !== path) agents.made(made.path, text);
      return made;
    },
    'vault.createFolder': ({ path }) => vault.createFolder(path),
    async 'vault.rename'({ from, to }) {
      const renamed = await vault.rename(from, to);
      await agents.renamed(from, to);
      return renamed;
    },
    'vault.trash': ({ path }) => vault.trash(path),
    'vault.imageAddress': ({ target, from }) => {
      const path = vault.findLinked(target, from) ?? target;
      return host.imageAddress?.(path) ?? `/files/${path.split('/').map(encodeURIComponent).join('/')}`;
    },
  };
}
