import type { ToolEntry } from '../../../contract/tools';
import { useAction, useCoreState } from '../../base/core/core';
import { Awaited, LastKnown } from '../../base/parts/NotConnected';
import { failureText } from '../../base/text/error-words';
import { compact } from '../../base/text/format';
import { t } from '../../base/text/text';
import { visible } from '../../base/text/visible';
import { Button, Callout, Field, Segments } from '../../ui';
import { NumberField } from './NumberField';
import { useSettings } from './use-settings';

/** Long, as it is a list of settings. */
export function ToolLimits() {
  const { settings, change, replace, error } = useSettings();
  const on = useCoreState('tools.catalog', {})?.filter(({ enabled }) => enabled);
  if (!settings) return <Awaited />;
  const { tools } = settings;
  return (
    <div className="settings-fields">
      <LastKnown />
      {error && <Callout tone="bad">{failureText(error)}</Callout>}
      <Field row label={t('settings.approval')} hint={t('settings.approvalHint')}>
        {() => (
          <Segments
            aria-label={t('settings.approval')}
            value={tools.approval}
            options={(['ask', 'allow', 'deny'] as const).map((value) => ({
              value,
              label: t(`tools.approval.${value}`),
            }))}
            onChange={(approval) => change({ tools: { approval } })}
          />
        )}
      </Field>
      <NumberField
        name="tools.timeout"
        label={t('settings.timeout')}
        hint={t('settings.seconds')}
        value={Math.round(tools.timeout / 1_000)}
        min={1}
        max={86_400}
        onChange={(seconds) => replace({ tools: { timeout: seconds * 1_000 } })}
      />
      <NumberField
        name="tools.concurrency"
        label={t('settings.concurrency')}
        value={tools.concurrency}
        min={1}
        max={64}
        onChange={(concurrency) => replace({ tools: { concurrency } })}
      />
      <NumberField
        name="tools.callsPerNote"
        label={t('settings.callsPerNote')}
        hint={t('settings.callsPerNoteHint')}
        value={tools.callsPerNote}
        min={-1}
        onChange={(callsPerNote) => replace({ tools: { callsPerNote } })}
      />
      <NumberField
        name="tools.rounds"
        label={t('settings.rounds')}
        hint={t('settings.roundsHint')}
        value={tools.rounds}
        min={1}
        max={200}
        onChange={(rounds) => replace({ tools: { rounds } })}
      />
      <NumberField
        name="tools.searchShare"
        label={t('settings.searchShare')}
        hint={on ? `${weightWords(on)} ${t('settings.searchShareHint')}` : t('settings.searchShareHint')}
        value={tools.searchShare}
        min={0}
        max={100}
        onChange={(searchShare) => replace({ tools: { searchShare } })}
      />
      <NumberField
        name="tools.resultLimit"
        label={t('settings.resultLimit')}
        hint={t('settings.resultLimitHint')}
        value={tools.resultLimit}
        min={256}
        onChange={(resultLimit) => replace({ tools: { resultLimit } })}
      />
      <Field row label={t('settings.cache')}>
        {() => (
          <Segments
            aria-label={t('settings.cache')}
            value={tools.cache}
            options={(['reuse', 'ask', 'run'] as const).map((value) => ({
              value,
              label: t(`settings.cache.${value}`),
            }))}
            onChange={(cache) => change({ tools: { cache } })}
          />
        )}
      </Field>
      <NumberField
        name="tools.cacheMaxAge"
        label={t('settings.cacheMaxAge')}
        hint={t('settings.minutes')}
        value={Math.round(tools.cacheMaxAge / 60_000)}
        min={0}
        onChange={(minutes) => replace({ tools: { cacheMaxAge: minutes * 60_000 } })}
      />
      <Grants />
    </div>
  );
}

function weightWords(on: readonly ToolEntry[]): string {
  const weight = on.reduce((sum, { tokens }) => sum + tokens, 0);
  return t('settings.toolsWeigh', { count: on.length, tokens: compact(weight) });
}

function Grants() {
  const grants = useCoreState('tools.grants', {});
  const revoke = useAction('tools.revoke');
  return (
    <section className="ui-section">
      <h3>{t('settings.grants')}</h3>
      {revoke.error && <Callout tone="bad">{failureText(revoke.error)}</Callout>}
      {grants?.length === 0 && <p className="settings-quiet">{t('settings.noGrants')}</p>}
      <ul className="settings-list" tabIndex={-1}>
        {grants?.map((grant) => (
          <li key={grant.id}>
            <span className="settings-list-text">
              <span>
                {t(`settings.grant.${grant.scope}`, {
                  server: grant.serverName,
                  tool: grant.tool ?? '*',
                  note: grant.path ?? '',
                })}
              </span>
              {grant.vaultName !== undefined && (
                <small>{t('settings.grantVault', { name: visible(grant.vaultName) })}</small>
              )}
            </span>
            <Button size="s" onClick={() => revoke.mutate({ id: grant.id })}>
              {t('settings.revoke')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
