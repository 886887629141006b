import { useState } from 'react';
import type { UsageTotal } from '../../../contract/providers';
import { useAsk } from '../../base/core/core';
import { Awaited, LastKnown } from '../../base/parts/NotConnected';
import { failureText } from '../../base/text/error-words';
import { compact, noteName, price } from '../../base/text/format';
import { t } from '../../base/text/text';
import { Callout, Segments } from '../../ui';
import { Prices } from './Prices';

const kinds = ['day', 'note', 'model'] as const;

function costWords({ cost, unpriced }: UsageTotal): string {
  const amount = price(cost);
  if (unpriced === 0) return amount ?? '$0.00';
  return amount === null ? t('usage.noPrice') : t('usage.atLeast', { price: amount });
}

/** What answers used and cost, and the prices that this is counted with. */
export function Usage() {
  const [by, setBy] = useState<(typeof kinds)[number]>('day');
  const { data, error } = useAsk('providers.usage', { by }, { staleTime: 0 });
  return (
    <div className="settings-fields">
      {data && <LastKnown />}
      <Segments
        aria-label={t('settings.usage')}
        value={by}
        options={kinds.map((value) => ({ value, label: t(`usage.${value}`) }))}
        onChange={setBy}
      />
      {error && <Callout tone="bad">{failureText(error)}</Callout>}
      {data === undefined && !error && <Awaited />}
      {data?.length === 0 && <p className="settings-quiet">{t('usage.none')}</p>}
      {data && data.length > 0 && (
        <table className="settings-table">
          <thead>
            <tr>
              <th>{t(`usage.${by}`)}</th>
              <th>{t('usage.answers')}</th>
              <th>{t('usage.input')}</th>
              <th>{t('usage.output')}</th>
              <th>{t('usage.cost')}</th>
            </tr>
          </thead>
          <tbody>
            {data.map((row) => (
              <tr key={row.name}>
                <td title={row.name}>{by === 'note' ? noteName(row.name) : row.name}</td>
                <td>{row.answers}</td>
                <td>{compact(row.inputTokens)}</td>
                <td>{compact(row.outputTokens)}</td>
                <td title={row.unpriced > 0 ? t('usage.unpriced', { count: row.unpriced }) : undefined}>
                  {costWords(row)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Prices />
    </div>
  );
}
