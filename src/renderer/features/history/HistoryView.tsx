import { History, SearchX } from 'lucide-react';
import { useMemo, useState } from 'react';
import { LastKnown, NotConnected } from '../../base/parts/NotConnected';
import { useRested } from '../../base/parts/use-rested';
import { t } from '../../base/text/text';
import { Button, EmptyState, Page } from '../../ui';
import { CallDetail } from './CallDetail';
import { CallList } from './CallList';
import { Failure, HistoryActions } from './HistoryActions';
import { HistoryFilters } from './HistoryFilters';
import { Timeline } from './Timeline';
import { type HistoryCriteria, useHistory } from './use-history';
import './history.css';

const everything: HistoryCriteria = { range: { kind: 'all' } };
const typingMs = 200;

export function HistoryView() {
  const [criteria, setCriteria] = useState(everything);
  const [words, setWords] = useState('');
  const [chosen, setChosen] = useState<number | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const rested = useRested(words.trim(), typingMs);
  const query = useMemo(() => ({ ...criteria, words: rested }), [criteria, rested]);
  const { list, overview, facets, look, filter } = useHistory(query);
  const calls = useMemo(() => list.data?.pages.flat() ?? [], [list.data]);
  const detail = calls.find(({ id }) => id === chosen) ?? calls[0];
  const isFiltered = Object.keys(filter).length > 0;
  const facts = overview.data;
  const never = facts?.total === 0 && !isFiltered;
  const change = (changes: Partial<HistoryCriteria>) => setCriteria((before) => ({ ...before, ...changes }));
  const reset = () => {
    setCriteria(everything);
    setWords('');
  };

  return (
    <Page
      title={t('history.title')}
      text={t('history.text')}
      fill
      actions={
        <HistoryActions
          filter={filter}
          total={facts?.total ?? 0}
          isFiltered={isFiltered}
          onLook={look}
          onFailure={setFailure}
        />
      }
    >
      <Failure failure={failure ?? list.error ?? overview.error} />
      {facts ? <LastKnown /> : <NotConnected />}
      {never && list.isSuccess ? (
        <EmptyState icon={History} title={t('history.none')} text={t('history.noneText')} />
      ) : (
        <>
          {facts && (
            <Timeline
              overview={facts}
              onNarrow={(since, before) => change({ range: { kind: 'own', since, before } })}
            />
          )}
          <HistoryFilters
            criteria={criteria}
            facets={facets.data ?? { servers: [], tools: [], paths: [] }}
            words={words}
            onWords={setWords}
            onChange={change}
          />
        </>
      )}
      {list.isSuccess && calls.length === 0 && !never && (
        <EmptyState icon={SearchX} title={t('history.noMatch')}>
          <Button onClick={reset}>{t('history.reset')}</Button>
        </EmptyState>
      )}
      {detail && (
        <div className="ui-split history-split">
          <div className="history-calls">
            <CallList
              calls={calls}
              selection={detail}
              onChoose={({ id }) => setChosen(id)}
              onEnd={() => {
                if (list.hasNextPage && !list.isFetching) void list.fetchNextPage();
              }}
            />
          </div>
          <CallDetail call={detail} />
        </div>
      )}
    </Page>
  );
}
