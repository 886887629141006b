import { type FormEvent, type MouseEvent, useRef, useState } from 'react';
import type { Price, PriceList } from '../../../contract/providers';
import { useAction, useAsk, useCoreState } from '../../base/core/core';
import { DraftNote } from '../../base/drafts/DraftNote';
import { type KeptDraft, useFormDraft } from '../../base/drafts/form-draft';
import { failureText } from '../../base/text/error-words';
import { t } from '../../base/text/text';
import { Button, Callout, Input, SearchField, Select } from '../../ui';

type Row = PriceList['prices'][number];
const boxes = ['input', 'output', 'cachedInput', 'cacheWrite'] as const;
type Filled = Record<(typeof boxes)[number], string> & { own: Price | null };
/** `own`: their own price of this model, as it was when it was named here. */
const empty: Filled = { input: '', output: '', cachedInput: '', cacheWrite: '', own: null };
const number = (text: string) => (text.trim() === '' ? null : Number(text));
const good = (value: number | null) => value !== null && value >= 0;

/** The dated list, with the person's own prices over it. */
export function Prices() {
  const list = useCoreState('providers.prices', {});
  const vendors = useAsk('providers.vendors', {}, { staleTime: Number.POSITIVE_INFINITY });
  const [find, setFind] = useState('');
  const formDraft = useFormDraft('price', { vendor: 'openai', model: '', ...empty }, []);
  const { values: draft, set: setDraft } = formDraft;
  const set = useAction('providers.setPrice');
  const form = useRef<HTMLFormElement>(null);
  if (!list) return null;
  const words = find.trim().toLowerCase();
  const rows = list.prices.filter((row) => `${row.vendor} ${row.model}`.toLowerCase().includes(words));
  const input = number(draft.input);
  const output = number(draft.output);
  const ofCache = { cachedInput: number(draft.cachedInput), cacheWrite: number(draft.cacheWrite) };
  const cachePrices = Object.entries(ofCache).filter(([, value]) => value !== null);
  const ready =
    draft.model.trim() !== '' && good(input) && good(output) && cachePrices.every(([, value]) => good(value));
  const ownOf = (vendor: string, model: string): Price | null => {
    const row = list.prices.find((one) => one.own && one.vendor === vendor && one.model === model.trim());
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
  const edit = ({ vendor, model, ...price }: Row) => {
    form.current?.querySelector<HTMLInputElement>('.settings-price')?.focus();
    setDraft({
      own: ownOf(vendor, model),
      vendor,
      model,
      input: String(price.input),
      output: String(price.output),
      cachedInput: price.cachedInput?.toString() ?? '',
      cacheWrite: price.cacheWrite?.toString() ?? '',
    });
  };
  const reset = ({ vendor, model }: Row, { currentTarget }: MouseEvent) => {
    const line = currentTarget.closest('li');
    // The button goes away with their own price. Not another one: what is pressed twice would press that.
    set.mutate({ vendor, model, price: null }, { onSuccess: () => line?.focus() });
  };
  return (
    <details className="settings-more" open={formDraft.restored || undefined}>
      <summary>{t('prices.title')}</summary>
      <div className="settings-fields">
        <p className="settings-quiet">{t('prices.text', { date: list.date })}</p>
        {set.error && <Callout tone="bad">{failureText(set.error)}</Callout>}
        <DraftNote draft={draftToShow} savesBelow onSave={ready ? store : undefined} />
        <form ref={form} className="settings-price-form" onSubmit={save}>
          <span aria-hidden>{t('providers.vendor')}</span>
          <span aria-hidden>{t('providers.model')}</span>
          {boxes.map((box) => (
            <span key={box} aria-hidden>
              {t(`prices.${box}`)}
            </span>
          ))}
          <span />
          <Select
            aria-label={t('providers.vendor')}
            value={draft.vendor}
            options={(vendors.data ?? []).map(({ id, label }) => ({ value: id, label }))}
            onChange={(vendor) => name({ vendor })}
          />
          <Input
            mono
            aria-label={t('providers.model')}
            value={draft.model}
            onChange={(event) => name({ model: event.target.value })}
          />
          {boxes.map((box) => (
            <Input
              key={box}
              className="settings-price"
              inputMode="decimal"
              aria-label={t(`prices.${box}`)}
              aria-invalid={draft[box].trim() !== '' && !good(number(draft[box]))}
              value={draft[box]}
              onChange={(event) => setDraft({ [box]: event.target.value })}
            />
          ))}
          <Button type="submit" disabled={!ready} busy={set.isPending}>
            {t('ui.save')}
          </Button>
        </form>
        <SearchField
          value={find}
          onChange={(event) => setFind(event.target.value)}
          label={t('prices.find')}
        />
        <ul className="settings-list settings-prices" tabIndex={-1}>
          {rows.map((row) => (
            <li key={`${row.vendor} ${row.model}`} tabIndex={-1}>
              <span className="settings-list-text">
                <span>{row.model}</span>
                <small>
                  {vendors.data?.find(({ id }) => id === row.vendor)?.label ?? row.vendor}
                  {row.own && ` · ${t('prices.own')}`}
                </small>
              </span>
              <span className="settings-quiet">
                ${row.input} / ${row.output}
                {row.cachedInput !== undefined && ` / $${row.cachedInput}`}
                {row.cacheWrite !== undefined && ` / ${t('prices.cacheWrite')} $${row.cacheWrite}`}
              </span>
              <Button size="s" onClick={() => edit(row)}>
                {t('providers.edit')}
              </Button>
              {row.own && (
                <Button size="s" waiting={set.isPending} onClick={(event) => reset(row, event)}>
                  {t('prices.reset')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      </div>
    </details>
  );
}
