import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { ProviderEntry } from '../../../contract/providers';
import { useAction, useAsk, useCoreState } from '../../base/core/core';
import { draftsOf, dropDraft, useFormsTakenUp } from '../../base/drafts/form-draft';
import { useLastSeen } from '../../base/drafts/removed-meanwhile';
import { useLayout } from '../../base/layout/layout';
import { Awaited, LastKnown } from '../../base/parts/NotConnected';
import { failureText } from '../../base/text/error-words';
import { t } from '../../base/text/text';
import { Button, Callout, ConfirmDialog, EmptyState } from '../../ui';
import { ProviderForm } from './ProviderForm';
import { ProviderRow } from './ProviderRow';
import { providerDraftKey } from './provider-draft';
import { TarsOffer } from './TarsImport';
import { useFormInPlace } from './use-form-in-place';

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
          <ProviderRow
            key={provider.id}
            provider={provider}
            onEdit={() => setEditing(provider.id)}
            onMakeDefault={() => setDefault.mutate({ providerId: provider.id })}
            onRemove={() => setRemoving(provider)}
          />
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
