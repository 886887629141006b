import { type FormEvent, useState } from 'react';
import {
  hasEmbeddingName,
  type ProviderCheck,
  type ProviderEntry,
  tagName,
} from '../../../contract/providers';
import { useAction, useAsk, useCoreState } from '../../base/core/core';
import { DraftCancel, DraftNote } from '../../base/drafts/DraftNote';
import { useFormDraft } from '../../base/drafts/form-draft';
import { useRemoved } from '../../base/drafts/removed-meanwhile';
import { useLayout } from '../../base/layout/layout';
import { failureText } from '../../base/text/failure';
import { t } from '../../base/text/text';
import { Button, Callout, Field, Input, Select } from '../../ui';
import { CheckResult } from './CheckResult';
import { ProviderAddress } from './ProviderAddress';
import { ProviderDetails } from './ProviderDetails';
import { PullModel } from './PullModel';
import {
  badNumber,
  configOf,
  draftOf,
  type ProviderDraft,
  parametersOf,
  providerDraftKey,
  withVendor,
} from './provider-draft';
import { clashOf } from './tag-clash';

const isRefused = (found: ProviderCheck | undefined) => found?.kind === 'failed' && found.failure === 'auth';

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
  const kept = useFormDraft(providerDraftKey({ id }), draftOf(provider), ['key']);
  useRemoved(kept, removed, onDone);
  const draft = kept.values;
  const [tried, setTried] = useState(false);
  const [removesKey, setRemovesKey] = useState(false);
  const save = useAction('providers.save');
  const settings = useCoreState('settings.current', {});
  const check = useAction('providers.check');
  const askToOpen = useLayout((layout) => layout.askToOpen);
  const vendor = vendors.data?.find(({ id }) => id === draft.vendor);
  const put = (changes: Partial<ProviderDraft>) => {
    kept.set(changes);
    check.reset();
  };

  const badTag =
    draft.tag.trim() === ''
      ? t('providers.needed')
      : tagName.test(draft.tag.trim())
        ? clashOf(draft.tag.trim(), provider, settings)
        : t('providers.badTag');
  /** It was so before, and is kept where somebody saves something else. */
  const stillTaken = draft.tag === provider?.tag ? provider.tagTaken : null;
  const badModel = draft.model.trim() === '' ? t('providers.needed') : null;
  const badParameters = parametersOf(draft.parameters) === null;
  const hasBadNumber = (['temperature', 'maxTokens', 'contextSize'] as const).some((name) =>
    badNumber(name, draft[name]),
  );
  const badAddress = vendor?.address === 'own' && draft.baseUrl.trim() === '' ? t('providers.needed') : null;
  const checkable = vendor !== undefined && !badAddress && !hasBadNumber && !badParameters;
  const ready = checkable && !badTag && !badModel;
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
        kept.discard();
        onDone();
      },
      () => undefined,
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!ready || kept.overtaken.length > 0) return;
    // A key that is refused is told before it is kept; after that, keeping it is the person's own affair.
    const isUntried = draft.key.trim() !== '' && check.status === 'idle';
    if (isUntried) check.mutate(checked(), { onSettled: (found) => isRefused(found) || void store() });
    else void store();
  };
  const saveMine = () => {
    kept.keepMine();
    void store();
  };
  const listable = vendor !== undefined && (!vendor.needsKey || (provider?.key ?? 'missing') !== 'missing');
  const listed = useAsk(
    'providers.models',
    {
      provider: {
        vendor: draft.vendor,
        tag: 'List',
        model: '-',
        ...(draft.baseUrl.trim() !== '' && { baseUrl: draft.baseUrl.trim() }),
        ...(provider && { id: provider.id }),
      },
    },
    { enabled: listable && !badAddress && draft.vendor !== 'demo', staleTime: 60_000 },
  );
  const offered =
    check.data?.kind === 'ok' ? check.data.models : (listed.data?.models ?? vendor?.models ?? []);
  const isListed =
    offered.length > 0 && (check.data?.kind === 'ok' || (listed.data?.listedAt ?? null) !== null);
  const model = draft.model.trim();
  const lacks = model !== '' && !offered.includes(model) && check.data?.kind !== 'failed';
  const unreached = check.data === undefined ? (listed.data?.problem ?? null) : null;
  const pulls = vendor?.id === 'ollama' && (draft.format || 'ollama-chat') === 'ollama-chat';
  const isEmbedding = vendor?.id === 'ollama' && hasEmbeddingName(model);
  const hasKey = provider?.key === 'stored' || provider?.key === 'environment';

  return (
    <form className="settings-fields" onSubmit={submit}>
      <DraftNote
        draft={kept}
        savesBelow
        removed={removed}
        labels={{
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
        }}
        onSave={ready ? saveMine : undefined}
      />
      <Field label={t('providers.vendor')} error={tried && !vendor ? t('providers.needed') : null}>
        {(ties) => (
          <Select
            {...ties}
            value={draft.vendor}
            placeholder={t('providers.vendorChoose')}
            options={(vendors.data ?? []).map(({ id, label }) => ({ value: id, label }))}
            onChange={(id) => {
              const chosen = vendors.data?.find((one) => one.id === id);
              if (chosen)
                put(
                  withVendor(
                    draft,
                    chosen,
                    others.map(({ tag }) => tag),
                  ),
                );
            }}
          />
        )}
      </Field>
      {vendor && (
        <>
          {vendor.id !== 'demo' && (
            <Field
              label={t(vendor.needsKey ? 'providers.key' : 'providers.keyOptional')}
              hint={
                forgets
                  ? t('providers.keyRemoved')
                  : hasKey
                    ? t(provider.key === 'environment' ? 'providers.keyOfEnvironment' : 'providers.keyKept')
                    : vendor.keyVariables.length > 0 &&
                      t('providers.keyHint', { variables: vendor.keyVariables.join(', ') })
              }
            >
              {(ties) => (
                <div className="settings-line">
                  <Input
                    {...ties}
                    mono
                    type="password"
                    autoComplete="off"
                    value={draft.key}
                    onChange={(event) => put({ key: event.target.value })}
                  />
                  {provider?.key === 'stored' && (
                    <Button onClick={() => setRemovesKey(!forgets)}>
                      {t(forgets ? 'providers.keyKeep' : 'providers.keyRemove')}
                    </Button>
                  )}
                  {vendor.keyPage && (
                    <Button onClick={() => vendor.keyPage && askToOpen(vendor.keyPage)}>
                      {t('providers.keyPage')}
                    </Button>
                  )}
                </div>
              )}
            </Field>
          )}
          {vendor.address !== 'known' && (
            <ProviderAddress
              vendor={vendor}
              value={draft.baseUrl}
              error={tried ? badAddress : null}
              onChange={(baseUrl) => put({ baseUrl })}
            />
          )}
          <Field
            label={t('providers.model')}
            hint={t(isListed ? 'providers.modelListed' : 'providers.modelHint')}
            error={tried ? badModel : null}
          >
            {(ties) => (
              <div className="settings-line">
                <Input
                  {...ties}
                  mono
                  list="provider-models"
                  value={draft.model}
                  onChange={(event) => kept.set({ model: event.target.value })}
                />
                <datalist id="provider-models">
                  {offered.map((model) => (
                    <option key={model} value={model} />
                  ))}
                </datalist>
                <Button busy={check.isPending} disabled={!checkable} onClick={() => check.mutate(checked())}>
                  {t('providers.check')}
                </Button>
              </div>
            )}
          </Field>
          <CheckResult
            result={check.data}
            error={check.error}
            model={isEmbedding ? '' : model}
            pulls={pulls}
          />
          {isEmbedding && <Callout tone="warn">{t('providers.isEmbedding', { model })}</Callout>}
          {pulls && lacks && !isEmbedding && unreached !== null && (
            <Callout tone="warn" title={t('providers.unreached')}>
              {unreached}
            </Callout>
          )}
          {pulls && lacks && !isEmbedding && unreached === null && (check.data || listed.data) && (
            <PullModel
              key={model}
              provider={configOf({ ...draft, tag: draft.tag.trim() || 'Ollama' }, provider)}
              model={model}
              onDone={() => void listed.refetch()}
            />
          )}
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
        <DraftCancel draft={kept} onLeave={onDone} />
        <Button
          type="submit"
          look="primary"
          busy={save.isPending || (tried && check.isPending)}
          disabled={!vendor}
        >
          {t(
            isRefused(check.data) || isEmbedding
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
