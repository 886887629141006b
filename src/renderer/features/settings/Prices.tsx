import { type MouseEvent, useState } from 'react';
import type { PriceList } from '../../../contract/providers';
import { useAsk, useCoreState } from '../../base/core/core';
import { DraftNote } from '../../base/drafts/DraftNote';
import { failureText } from '../../base/text/error-words';
import { t } from '../../base/text/text';
import { Button, Callout, Input, SearchField, Select } from '../../ui';
import { boxes, isPrice, numberIn, usePriceDraft } from './use-price-draft';

type Row = PriceList['prices'][number];

/** The dated list, with the person's own prices over it. One list: the form, the search and the rows. */
export function Prices() {
  const list = useCoreState('providers.prices', {});
  const vendors = useAsk('providers.vendors', {}, { staleTime: Number.POSITIVE_INFINITY });
  const [find, setFind] = useState('');
  const { form, formDraft, draftToShow, draft, setDraft, ownOf, name, ready, save, store, set } =
    usePriceDraft(list?.prices ?? []);
  if (!list) return null;
  const words = find.trim().toLowerCase();
  const rows = list.prices.filter((row) => `${row.vendor} ${row.model}`.toLowerCase().includes(words));
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
              aria-invalid={draft[box].trim() !== '' && !isPrice(numberIn(draft[box]))}
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
            <PriceRow
              key={`${row.vendor} ${row.model}`}
              row={row}
              vendor={vendors.data?.find(({ id }) => id === row.vendor)?.label ?? row.vendor}
              isPending={set.isPending}
              onEdit={() => edit(row)}
              onReset={(event) => reset(row, event)}
            />
          ))}
        </ul>
      </div>
    </details>
  );
}

interface PriceRowProps {
  row: Row;
  vendor: string;
  isPending: boolean;
  onEdit(): void;
  onReset(event: MouseEvent): void;
}

function PriceRow({ row, vendor, isPending, onEdit, onReset }: PriceRowProps) {
  return (
    <li tabIndex={-1}>
      <span className="settings-list-text">
        <span>{row.model}</span>
        <small>
          {vendor}
          {row.own && ` · ${t('prices.own')}`}
        </small>
      </span>
      <span className="settings-quiet">
        ${row.input} / ${row.output}
        {row.cachedInput !== undefined && ` / $${row.cachedInput}`}
        {row.cacheWrite !== undefined && ` / ${t('prices.cacheWrite')} $${row.cacheWrite}`}
      </span>
      <Button size="s" onClick={onEdit}>
        {t('providers.edit')}
      </Button>
      {row.own && (
        <Button size="s" waiting={isPending} onClick={onReset}>
          {t('prices.reset')}
        </Button>
      )}
    </li>
  );
}
