import { type FormEvent, useState } from 'react';
import type { ProviderCheck, ProviderEntry, Vendor } from '../../../contract/providers';
import { useAction, useAsk, useCoreState } from '../../base/core/core';
import { DraftCancel, DraftNote } from '../../base/drafts/DraftNote';
import { useFormDraft } from '../../base/drafts/form-draft';
import { useRemoved } from '../../base/drafts/removed-meanwhile';
import { failureText } from '../../base/text/error-words';
import { t } from '../../base/text/text';
import { Button, Callout, Field, Input, Select } from '../../ui';
import { ProviderAddress } from './ProviderAddress';
import { ProviderDetails } from './ProviderDetails';
import { ProviderKey } from './ProviderKey';
import { ProviderModel } from './ProviderModel';
import {
  configOf,
  draftOf,
  faultsOfProvider,
  isEmbedding,
  type ProviderDraft,
  providerDraftKey,
  withVendor,
} from './provider-draft';
import { clashOf } from './tag-clash';

const isRefused = (check: ProviderCheck | undefined) => check?.kind === 'failed' && check.failure === 'auth';

const labels = () => ({
  vendor: t('providers.vendor'),
  model: t('providers.model'),
  tag: t('providers.tag'),
  contextSize: t('providers.contextSize'),
  temperature: t('providers.temperature'),
  maxTokens: t('providers.maxTokens'),
  format: t('providers.format'),
  apiVersion: t('providers.apiVersion'),
  reasoningEffort: t('providers.effort'),
  webSearch: t('providers.webSearch'),
  stream: t('providers.stream'),
  parameters: t('providers.parameters'),
});

export function ProviderForm({
  id,
  provider: last,
  removed,
  onDone,
}: {
  id: string;
  provider: ProviderEntry | null;
  removed: boolean;
  onDone(): void;
}) {
  const provider = removed ? null : last;
  const vendors = useAsk('providers.vendors', {}, { staleTime: Number.POSITIVE_INFINITY });
  const others = (useCoreState('providers.list', {}) ?? []).filter(({ id }) => id !== provider?.id);
  const otherTags = others.map(({ tag }) => tag);
  const form = useFormDraft(providerDraftKey({ id }), draftOf(provider), ['key']);
  useRemoved(form, removed, onDone);
  const draft = form.values;
  const [tried, setTried] = useState(false);
  const [removesKey, setRemovesKey] = useState(false);
  const save = useAction('providers.save');
  const settings = useCoreState('settings.current', {});
  const check = useAction('providers.check');
  const vendor = vendors.data?.find(({ id }) => id === draft.vendor);
  const put = (changes: Partial<ProviderDraft>) => {
    form.set(changes);
    check.reset();
  };

  /** It was so before, and is kept where somebody saves something else. */
  const stillTaken = draft.tag === provider?.tag ? provider.tagTaken : null;
  const faults = faultsOfProvider(draft, vendor);
  const badTag = faults.tag ? t(`providers.${faults.tag}`) : clashOf(draft.tag.trim(), provider, settings);
  const checkable = vendor !== undefined && !faults.baseUrl && !faults.details;
  const ready = checkable && !badTag && !faults.model;
  const request = (config = configOf(draft, provider)) => {
    const key = draft.key.trim();
    return { provider: config, ...(key !== '' && { key }) };
  };
  /** What is offered is asked for before a model and a tag are chosen. */
  const checked = () => {
    const { tag, model, ...rest } = configOf(draft, provider);
    return request({ ...rest, tag: badTag ? 'Check' : tag, model: model || (vendor?.defaultModel ?? '-') });
  };
  const forgets = removesKey && draft.key.trim() === '';
  const store = () =>
    save.mutateAsync({ ...request(), ...(forgets && { key: '' }), ...(provider && { seen: provider }) }).then(
      () => {
        form.discard();
        onDone();
      },
      () => undefined,
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!ready || form.overtaken.length > 0) return;
    // A key that is refused is told before it is kept; after that, keeping it is the person's own affair.
    const isUntried = draft.key.trim() !== '' && check.status === 'idle';
    if (isUntried) check.mutate(checked(), { onSettled: (result) => isRefused(result) || void store() });
    else void store();
  };
  const saveMine = () => {
    form.keepMine();
    void store();
  };
  const embeds = isEmbedding(vendor, draft);

  return (
    <form className="settings-fields" onSubmit={submit}>
      <DraftNote
        draft={form}
        savesBelow
        removed={removed}
        labels={labels()}
        onSave={ready ? saveMine : undefined}
      />
      <VendorField
        vendors={vendors.data ?? []}
        value={draft.vendor}
        error={tried && !vendor ? t('providers.needed') : null}
        onChange={(chosen) => put(withVendor(draft, chosen, otherTags))}
      />
      {vendor && (
        <>
          {vendor.id !== 'demo' && (
            <ProviderKey
              {...{ vendor, provider, forgets }}
              value={draft.key}
              onChange={(key) => put({ key })}
              onForgets={setRemovesKey}
            />
          )}
          {vendor.address !== 'known' && (
            <ProviderAddress
              vendor={vendor}
              value={draft.baseUrl}
              error={tried && faults.baseUrl ? t('providers.needed') : null}
              onChange={(baseUrl) => put({ baseUrl })}
            />
          )}
          <ProviderModel
            {...{ vendor, provider, draft, check }}
            error={tried && faults.model ? t('providers.needed') : null}
            onCheck={checkable ? () => check.mutate(checked()) : undefined}
            onChange={(model) => form.set({ model })}
          />
          <Field
            label={t('providers.tag')}
            hint={!stillTaken && t('providers.tagHint', { tag: draft.tag || '…' })}
            error={badTag ?? (stillTaken && t(`providers.tag.${stillTaken}`))}
          >
            {(ties) => (
              <Input {...ties} value={draft.tag} onChange={(event) => put({ tag: event.target.value })} />
            )}
          </Field>
          <ProviderDetails vendor={vendor} draft={draft} onChange={put} />
        </>
      )}
      {save.error && <Callout tone="bad">{failureText(save.error)}</Callout>}
      <div className="settings-actions">
        <DraftCancel draft={form} onLeave={onDone} />
        <Button
          type="submit"
          look="primary"
          busy={save.isPending || (tried && check.isPending)}
          disabled={!vendor}
        >
          {t(
            isRefused(check.data) || embeds
              ? 'providers.saveAnyway'
              : removed
                ? 'draft.saveAsNew'
                : 'ui.save',
          )}
        </Button>
      </div>
    </form>
  );
}

interface VendorFieldProps {
  vendors: readonly Vendor[];
  value: string;
  error: string | null;
  onChange(vendor: Vendor): void;
}

function VendorField({ vendors, value, error, onChange }: VendorFieldProps) {
  return (
    <Field label={t('providers.vendor')} error={error}>
      {(ties) => (
        <Select
          {...ties}
          value={value}
          placeholder={t('providers.vendorChoose')}
          options={vendors.map(({ id, label }) => ({ value: id, label }))}
          onChange={(id) => {
            const chosen = vendors.find((one) => one.id === id);
            if (chosen) onChange(chosen);
          }}
        />
      )}
    </Field>
  );
}
