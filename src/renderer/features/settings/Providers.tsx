import { Ellipsis, Pencil, Plus, Star, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { ProviderEntry } from '../../../contract/providers';
import { useAction, useAsk, useCoreState } from '../../base/core/core';
import { draftsOf, dropDraft, useFormsTakenUp } from '../../base/drafts/form-draft';
import { useLastSeen } from '../../base/drafts/removed-meanwhile';
import { useLayout } from '../../base/layout/layout';
import { Awaited, LastKnown } from '../../base/parts/NotConnected';
import { failureText } from '../../base/text/error-words';
import { t } from '../../base/text/text';
import { Badge, Button, Callout, ConfirmDialog, EmptyState, IconButton, Menu, type Tone } from '../../ui';
import { ProviderForm } from './ProviderForm';
import { providerDraftKey } from './provider-draft';
import { TarsOffer } from './TarsImport';
import { useFormInPlace } from './use-form-in-place';

const keyTones: Record<ProviderEntry['key'], Tone> = {
  stored: 'neutral',
  environment: 'neutral',
  missing: 'warn',
  'not-needed': 'neutral',
};
const stores = { file: 'settings.secretFile', memory: 'settings.secretMemory' } as const;

function wantedItem(): string | null {
  const { modal } = useLayout.getState();
  return modal?.kind === 'settings' ? (modal.item ?? null) : null;
}

export function Providers() {
  const providers = useCoreState('providers.list', {});
  const info = useAsk('app.info', {}, { staleTime: Number.POSITIVE_INFINITY });
  // Whoever comes from a failed answer sees the provider that failed, and whoever left a form half filled in that form.
  const [editing, setEditing] = useState(() => wantedItem() ?? draftsOf(providerDraftKey(null))[0] ?? null);
  useFormsTakenUp(providerDraftKey(null), ([first]) => setEditing((now) => now ?? first ?? null));
  const [removing, setRemoving] = useState<ProviderEntry | null>(null);
  const setDefault = useAction('providers.setDefault');
  const remove = useAction('providers.remove');
  const failure = setDefault.error ?? remove.error;

  useFormInPlace(editing);

  const entry = providers?.find(({ id }) => id === editing);
  const lastEntry = useLastSeen(editing, entry);
  const removed = providers !== undefined && entry === undefined && editing !== '';
  if (editing !== null && (lastEntry || editing === '' || draftsOf(providerDraftKey(null)).includes(editing)))
    return (
      <ProviderForm
        key={editing}
        id={editing}
        provider={lastEntry}
        removed={removed}
        onDone={() => setEditing(null)}
      />
    );
  const add = (
    <Button look="primary" data-opens="" onClick={() => setEditing('')}>
      <Plus size={14} strokeWidth={2} aria-hidden />
      {t('providers.add')}
    </Button>
  );
  if (!providers) return <Awaited />;
  const store = info.data?.secretStore;
  return (
    <div className="settings-fields">
      <LastKnown />
      <div className="settings-line">
        <p className="settings-quiet settings-grow">{t('providers.text')}</p>
        {providers.length > 0 && add}
      </div>
      {store && store !== 'system' && <Callout tone="warn">{t(stores[store])}</Callout>}
      {failure && <Callout tone="bad">{failureText(failure)}</Callout>}
      {providers.length === 0 && (
        <EmptyState icon={Plus} title={t('providers.none')} text={t('provider.noneText')}>
          {add}
        </EmptyState>
      )}
      <ul className="settings-list" tabIndex={-1}>
        {providers.map((provider) => (
          <li key={provider.id}>
            <span className="settings-list-text">
              <span>
                {provider.label} <span className="settings-tag">#{provider.tag}</span>
              </span>
              <small>{provider.model}</small>
              {provider.tagTaken && (
                <small className="settings-problem">{t(`providers.tag.${provider.tagTaken}`)}</small>
              )}
            </span>
            {provider.tagTaken && <Badge tone="bad">{t('tag.unusable')}</Badge>}
            {provider.isDefault && <Badge tone="accent">{t('providers.default')}</Badge>}
            {provider.keyRefused ? (
              <Badge tone="bad">{t('providers.keyRefused')}</Badge>
            ) : (
              <Badge tone={keyTones[provider.key]}>{t(`providers.key.${provider.key}`)}</Badge>
            )}
            <Button size="s" data-opens={provider.id} onClick={() => setEditing(provider.id)}>
              {t('providers.edit')}
            </Button>
            <Menu
              align="end"
              items={[
                { label: t('providers.edit'), icon: Pencil, run: () => setEditing(provider.id) },
                {
                  label: t('providers.makeDefault'),
                  icon: Star,
                  disabled: provider.isDefault,
                  run: () => setDefault.mutate({ providerId: provider.id }),
                },
                { kind: 'line' },
                {
                  label: t('providers.remove'),
                  icon: Trash2,
                  danger: true,
                  run: () => setRemoving(provider),
                },
              ]}
            >
              <IconButton icon={Ellipsis} label={t('ui.more')} />
            </Menu>
          </li>
        ))}
      </ul>
      <TarsOffer isForProviders />
      {removing && (
        <ConfirmDialog
          title={t('providers.removeTitle', { name: `${removing.label} #${removing.tag}` })}
          text={t('providers.removeText')}
          confirm={t('providers.remove')}
          cancel={t('ui.cancel')}
          danger
          onConfirm={() =>
            remove.mutate(
              { providerId: removing.id },
              { onSuccess: () => dropDraft(providerDraftKey(removing)) },
            )
          }
          onClose={() => setRemoving(null)}
        />
      )}
    </div>
  );
}
