import { type FormEvent, useRef } from 'react';
import type { Price, PriceList } from '../../../contract/providers';
import { useAction } from '../../base/core/core';
import { type KeptDraft, useFormDraft } from '../../base/drafts/form-draft';

type Row = PriceList['prices'][number];
export const boxes = ['input', 'output', 'cachedInput', 'cacheWrite'] as const;
type Filled = Record<(typeof boxes)[number], string> & { own: Price | null };
/** `own`: their own price of this model, as it was when it was named here. */
const empty: Filled = { input: '', output: '', cachedInput: '', cacheWrite: '', own: null };
export const numberIn = (text: string) => (text.trim() === '' ? null : Number(text));
export const isPrice = (value: number | null) => value !== null && value >= 0;

/** A price of the person's own while it is typed, and what saves it. */
export function usePriceDraft(prices: readonly Row[]) {
  const formDraft = useFormDraft('price', { vendor: 'openai', model: '', ...empty }, []);
  const { values: draft, set: setDraft } = formDraft;
  const set = useAction('providers.setPrice');
  const form = useRef<HTMLFormElement>(null);
  const input = numberIn(draft.input);
  const output = numberIn(draft.output);
  const ofCache = { cachedInput: numberIn(draft.cachedInput), cacheWrite: numberIn(draft.cacheWrite) };
  const cachePrices = Object.entries(ofCache).filter(([, value]) => value !== null);
  const ready =
    draft.model.trim() !== '' &&
    isPrice(input) &&
    isPrice(output) &&
    cachePrices.every(([, value]) => isPrice(value));
  const ownOf = (vendor: string, model: string): Price | null => {
    const row = prices.find((one) => one.own && one.vendor === vendor && one.model === model.trim());
    if (!row) return null;
    const { vendor: _vendor, model: _model, own: _own, ...price } = row;
    return price;
  };
  const own = ownOf(draft.vendor, draft.model);
  const isOvertaken = formDraft.changed && JSON.stringify(own) !== JSON.stringify(draft.own);
  const draftToShow: KeptDraft = {
    ...formDraft,
    overtaken: isOvertaken
      ? [{ field: 'price', saved: own && [own.input, own.output].map((price) => `$${price}`).join(' / ') }]
      : [],
    takeTheirs: formDraft.discard,
  };
  const name = (changes: { vendor?: string; model?: string }) => {
    const { vendor, model } = { ...draft, ...changes };
    setDraft({ vendor, model, own: ownOf(vendor, model) });
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!isOvertaken) store();
  };
  const store = () => {
    if (!ready || input === null || output === null) return;
    const price = { input, output, ...Object.fromEntries(cachePrices) };
    set.mutateAsync({ vendor: draft.vendor, model: draft.model.trim(), price, seen: own }).then(
      () => {
        formDraft.discard();
        // What was filled in is empty again, and its button off.
        form.current?.querySelector('input')?.focus();
      },
      () => undefined,
    );
  };
  return { form, formDraft, draftToShow, draft, setDraft, ownOf, name, ready, save, store, set };
}
