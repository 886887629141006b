import { lazy, Suspense, useEffect } from 'react';
import { Spinner } from '../ui';
import { useCore, usePicture } from './core';
import { useLayout } from './layout';
import { t } from './text';
import { useFollowedVault } from './vault-entries';
import { Workbench } from './Workbench';

const Welcome = lazy(() => import('../features/vault').then(({ Welcome }) => ({ default: Welcome })));

/** The welcome page until a vault is open, then the workbench. */
export function Screen() {
  const core = useCore();
  const vault = usePicture('vault.state', {});
  const enterVault = useLayout((layout) => layout.enterVault);
  const path = vault?.kind === 'open' ? vault.path : null;
  useFollowedVault(core, path);
  useEffect(() => {
    if (path !== null) enterVault(path);
  }, [enterVault, path]);

  if (vault?.kind === 'open') return <Workbench vault={vault} />;
  if (!vault || vault.kind === 'opening') return <Waiting />;
  return (
    <Suspense fallback={<Waiting />}>
      <Welcome lost={vault.kind === 'lost' ? vault : null} />
    </Suspense>
  );
}

function Waiting() {
  return (
    <main className="waiting" aria-busy>
      <Spinner size={20} label={t('connection.connecting')} />
    </main>
  );
}
