import { X } from 'lucide-react';
import type { HistoryFacets } from '../../../contract/history';
import { Caller, CallStatus } from '../../../contract/tools';
import { dayAndTime, noteName } from '../../base/text/format';
import { t } from '../../base/text/text';
import { visible } from '../../base/text/visible';
import { Button, SearchField, Segments, Select } from '../../ui';
import type { HistoryCriteria } from './use-history';

const any = '*';

export interface HistoryFiltersProps {
  criteria: HistoryCriteria;
  facets: HistoryFacets;
  /** As it is typed, before it is asked for. */
  words: string;
  onWords(words: string): void;
  onChange(changes: Partial<HistoryCriteria>): void;
}

export function HistoryFilters({ criteria, facets, words, onWords, onChange }: HistoryFiltersProps) {
  const { serverId, tool, status, by, path, range } = criteria;
  const tools = new Map(
    facets.tools
      .filter((one) => serverId === undefined || one.serverId === serverId)
      .map(({ name }) => [name, visible(name)]),
  );
  return (
    <div className="history-filters">
      <SearchField
        className="history-find"
        label={t('history.words')}
        value={words}
        onChange={(event) => onWords(event.target.value)}
      />
      <Choice
        label={t('history.allServers')}
        value={serverId}
        options={facets.servers.map(({ id, name }) => [id, visible(name)])}
        onChange={(id) => onChange({ serverId: id, tool: undefined })}
      />
      <Choice
        label={t('history.allTools')}
        value={tool}
        options={[...tools]}
        onChange={(name) => onChange({ tool: name })}
      />
      <Choice
        label={t('history.anyStatus')}
        value={status}
        options={CallStatus.options.map((value) => [value, t(`history.status.${value}`)])}
        onChange={(value) => onChange({ status: value })}
      />
      <Choice
        label={t('history.anyone')}
        value={by}
        options={Caller.options.map((value) => [value, t(`history.who.${value}`)])}
        onChange={(value) => onChange({ by: value })}
      />
      <Choice
        label={t('history.anyNote')}
        value={path}
        options={facets.paths.map((one) => [one.path, visible(noteName(one.path)), one.path])}
        onChange={(value) => onChange({ path: value })}
      />
      {range.kind === 'own' ? (
        <Button size="s" className="history-range" onClick={() => onChange({ range: { kind: 'all' } })}>
          {dayAndTime(range.since)} – {dayAndTime(range.before)}
          <X size={12} aria-label={t('history.wholeTime')} />
        </Button>
      ) : (
        <Segments
          aria-label={t('history.range')}
          value={range.kind}
          options={(['hour', 'day', 'week', 'all'] as const).map((value) => ({
            value,
            label: t(`history.range.${value}`),
          }))}
          onChange={(kind) => onChange({ range: { kind } })}
        />
      )}
    </div>
  );
}

function Choice<V extends string>(props: {
  label: string;
  value: V | undefined;
  options: readonly (readonly [value: V, label: string, hint?: string])[];
  onChange(value: V | undefined): void;
}) {
  const { label, value, options, onChange } = props;
  return (
    <Select<string>
      size="s"
      aria-label={label}
      value={value ?? any}
      options={[
        { value: any, label },
        ...options.map(([one, words, hint]) => ({ value: one, label: words, ...(hint && { hint }) })),
      ]}
      onChange={(next) => onChange(options.find(([one]) => one === next)?.[0])}
    />
  );
}
