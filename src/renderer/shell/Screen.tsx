import { useEffect, useState } from 'react';
import type { VaultState } from '../../contract/vault';
import { useCore, useLatest } from '../base/core/core';
import { useAllForgetMissed } from '../base/core/missed';
import { useLayout } from '../base/layout/layout';
import { useFollowedVault } from '../base/layout/vault-entries';
import { failureText } from '../base/text/error-words';
import { t } from '../base/text/text';
import { useWindowIsHere } from '../base/window/this-window';
import { Welcome } from '../features/vault';
import { Spinner } from '../ui';
import { followAddress } from './address';
import { useFirstNote } from './first-note';
import { useLookAround } from './look-around';
import { Workbench } from './Workbench';

type Opened = Extract<VaultState, { kind: 'open' }>;

/** The welcome page until a vault is open, then the workbench; also while the vault's folder is away. */
export function Screen() {
  const core = useCore();
  const { item: vault, error } = useLatest('vault.state', {});
  const enterVault = useLayout((layout) => layout.enterVault);
  const [last, setLast] = useState<Opened | null>(null);
  if (vault?.kind === 'open' && vault !== last) setLast(vault);
  const lost = vault?.kind === 'lost' ? vault : null;
  const open = vault?.kind === 'open' ? vault : lost?.path === last?.path ? last : null;
  const isHere = useWindowIsHere();
  const current = isHere ? open : null;
  const path = current?.path ?? null;
  useLookAround();
  useAllForgetMissed();
  useFollowedVault(core, open?.path ?? null);
  useFirstNote(path);
  useEffect(() => {
    if (path === null) return;
    enterVault(path);
    return followAddress(window);
  }, [enterVault, path]);

  if (current) return <Workbench vault={current} lost={lost} />;
  if (!vault && error) return <Waiting why={failureText(error)} />;
  if (!isHere || !vault || vault.kind === 'opening') return <Waiting />;
  return <Welcome lost={lost} />;
}

function Waiting({ why = '' }: { why?: string }) {
  return (
    <main className="waiting" aria-busy>
      <Spinner size={20} label={t('connection.connecting')} />
      {why && <p role="alert">{why}</p>}
    </main>
  );
}
