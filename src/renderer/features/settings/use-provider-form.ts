import { type FormEvent, useState } from 'react';
import type { ProviderCheck, ProviderEntry } from '../../../contract/providers';
import { useAction, useAsk, useCoreState } from '../../base/core/core';
import { useFormDraft } from '../../base/drafts/form-draft';
import { useRemoved } from '../../base/drafts/removed-meanwhile';
import { t } from '../../base/text/text';
import { configOf, draftOf, faultsOfProvider, type ProviderDraft, providerDraftKey } from './provider-draft';
import { clashOf } from './tag-clash';

export const isRefused = (check: ProviderCheck | undefined) =>
  check?.kind === 'failed' && check.failure === 'auth';

interface ProviderFormParts {
  readonly id: string;
  /** Null: it is a new one, or was removed. */
  readonly provider: ProviderEntry | null;
  readonly removed: boolean;
  onDone(): void;
}

/** A provider while it is filled in: what is still wrong with it, trying it, and saving it. */
export function useProviderForm({ id, provider, removed, onDone }: ProviderFormParts) {
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
  return {
    form,
    draft,
    put,
    vendors,
    vendor,
    otherTags,
    save,
    check,
    faults,
    badTag,
    stillTaken,
    checkable,
    ready,
    tried,
    checked,
    forgets,
    setRemovesKey,
    submit,
    saveMine,
  };
}
