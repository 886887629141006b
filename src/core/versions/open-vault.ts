import { AppError } from '../../contract/errors';
import type { Vault } from '../vault';
import type { KeptVault, KeptVaults } from './keep/kept-vaults';

/** What is kept of the vault that is open now. */
export interface OpenVault {
  /** Null: none is open, or another folder stands in its place. */
  here(): KeptVault | null;
  /** Throws `vault.none`. */
  required(): KeptVault;
  /** Null: nothing is kept now. */
  current(): KeptVault | null;
  /** From now on nothing is kept of it. */
  forget(): KeptVault;
}

export function createOpenVault({
  vault,
  vaults,
  keeps,
}: {
  vault: Vault;
  vaults: Pick<KeptVaults, 'open'>;
  keeps: () => boolean;
}): OpenVault {
  let forgotten: string | null = null;

  function here(): KeptVault | null {
    const id = vault.state.get().kind === 'open' ? vault.id() : null;
    return id === null ? null : vaults.open(vault.root(), id);
  }

  function required(): KeptVault {
    const keptVault = here();
    if (!keptVault) throw new AppError('vault.none', 'No vault is open.', {});
    return keptVault;
  }

  return {
    here,
    required,
    current() {
      const keptVault = here();
      return keptVault === null || keptVault.id === forgotten || !keeps() ? null : keptVault;
    },
    forget() {
      const keptVault = required();
      forgotten = keptVault.id;
      return keptVault;
    },
  };
}
