import { useEffect } from 'react';
import { Welcome } from '../features/vault';
import { Spinner } from '../ui';
import { followAddress } from './address';
import { useCore, useLatest } from './core';
import { failureText } from './failure';
import { useFirstNote } from './first-note';
import { useLayout } from './layout';
import { t } from './text';
import { useFollowedVault } from './vault-entries';
import { Workbench } from './Workbench';

/** The welcome page until a vault is open, then the workbench. */
export function Screen() {
  const core = useCore();
  const { item: vault, error } = useLatest('vault.state', {});
  const enterVault = useLayout((layout) => layout.enterVault);
  const path = vault?.kind === 'open' ? vault.path : null;
  useFollowedVault(core, path);
  useFirstNote(path);
  useEffect(() => {
    if (path === null) return;
    enterVault(path);
    return followAddress(window);
  }, [enterVault, path]);

  if (vault?.kind === 'open') return <Workbench vault={vault} />;
  if (!vault && error) return <Waiting why={failureText(error)} />;
  if (!vault || vault.kind === 'opening') return <Waiting />;
  return <Welcome lost={vault.kind === 'lost' ? vault : null} />;
}

function Waiting({ why = '' }: { why?: string }) {
  return (
    <main className="waiting" aria-busy>
      <Spinner size={20} label={t('connection.connecting')} />
      {why && <p role="alert">{why}</p>}
    </main>
  );
}
