import type { FormEvent } from 'react';
import { useAction, useAsk, useCoreState } from '../../base/core/core';
import { useOpenVault } from '../../base/core/open-vault';
import { useFormDraft } from '../../base/drafts/form-draft';
import { useLayout } from '../../base/layout/layout';
import { Awaited, LastKnown } from '../../base/parts/NotConnected';
import { ContributionList } from '../../base/parts/TrustBanner';
import { failureText } from '../../base/text/error-words';
import { t } from '../../base/text/text';
import { Button, Callout, Field, Input, Switch } from '../../ui';
import { VersionSettings } from './VersionSettings';

/** The open vault and the ways to another: one list of settings from top to bottom. */
export function Vault() {
  const vault = useCoreState('vault.state', {});
  const info = useAsk('app.info', {}, { staleTime: Number.POSITIVE_INFINITY });
  const recent = useAsk('vault.recent', {});
  const pick = useAction('app.pickFolder');
  const trust = useAction('vault.trust');
  const hide = useLayout((layout) => layout.hideModal);
  const { values, set, discard } = useFormDraft('vault path', { path: '' }, []);
  const { path } = values;
  const open = useOpenVault(() => {
    discard();
    hide();
  });
  const openPath = open.open;
  const failure = open.error ?? pick.error ?? trust.error;
  const contributions =
    vault?.kind === 'open' ? vault.contributions.filter(({ lines }) => lines.length > 0) : [];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (path.trim() !== '') openPath(path.trim());
  };
  if (!vault) return <Awaited />;
  const others = recent.data?.filter((one) => vault.kind !== 'open' || one.path !== vault.path) ?? [];
  return (
    <div className="settings-fields">
      <LastKnown />
      {open.question}
      {failure && <Callout tone="bad">{failureText(failure)}</Callout>}
      {vault.kind === 'open' && (
        <>
          <Field row label={t('settings.vaultOpen')} hint={vault.path}>
            {() => <strong>{vault.name}</strong>}
          </Field>
          <Field row label={t('vault.close')} hint={t('vault.closeHint')}>
            {({ id }) => (
              <Button id={id} size="s" busy={open.isPending} onClick={open.close}>
                {t('vault.close')}
              </Button>
            )}
          </Field>
          <Field row label={t('settings.vaultTrust')} hint={t('settings.vaultTrustHint')}>
            {({ id }) => (
              <Switch
                id={id}
                checked={vault.trusted}
                waiting={trust.isPending}
                onChange={(trusted) =>
                  trust.mutate({
                    path: vault.path,
                    trusted,
                    agreed: contributions.map(({ fingerprint }) => fingerprint),
                  })
                }
              />
            )}
          </Field>
          {contributions.length > 0 && <ContributionList things={contributions} />}
        </>
      )}
      <form onSubmit={submit}>
        <Field label={t('settings.vaultOther')}>
          {(ties) => (
            <div className="settings-line">
              <Input
                {...ties}
                mono
                placeholder={t('welcome.pathPlaceholder')}
                value={path}
                onChange={(event) => set({ path: event.target.value })}
              />
              <Button type="submit" busy={open.isPending} disabled={path.trim() === ''}>
                {t('welcome.openPath')}
              </Button>
              {info.data?.canPickFolder && (
                <Button
                  busy={pick.isPending}
                  onClick={() =>
                    pick.mutate({}, { onSuccess: (chosen) => chosen !== null && openPath(chosen) })
                  }
                >
                  {t('welcome.choose')}
                </Button>
              )}
            </div>
          )}
        </Field>
      </form>
      <VersionSettings />
      <RecentVaults others={others} open={open} />
    </div>
  );
}

interface RecentVaultsProps {
  others: readonly { name: string; path: string }[];
  open: ReturnType<typeof useOpenVault>;
}

function RecentVaults({ others, open }: RecentVaultsProps) {
  if (others.length === 0) return null;
  return (
    <section className="ui-section">
      <h3>{t('welcome.recent')}</h3>
      <ul className="settings-list">
        {others.map((one) => (
          <li key={one.path}>
            <span className="settings-list-text">
              <span>{one.name}</span>
              <small>{one.path}</small>
            </span>
            <Button size="s" waiting={open.isPending} onClick={() => open.open(one.path)}>
              {t('welcome.openPath')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
