import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { HistoryEntry, HistoryFilter } from '../../../contract/history';
import { useCore, useCoreState } from '../../base/core/core';

export const spans = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const;

/** Which calls are in sight. Times are either the last while up to now or two moments. */
export interface HistoryCriteria extends Omit<HistoryFilter, 'since' | 'before'> {
  readonly range:
    | { readonly kind: 'all' | keyof typeof spans }
    | { readonly kind: 'own'; readonly since: number; readonly before: number };
}

const pageSize = 100;
/** Who has read far back is not disturbed by what is new. */
const pagesKeptFresh = 3;

/** The filter as it is asked for; what is empty is left out. */
function filterOf({ range, ...rest }: HistoryCriteria): HistoryFilter {
  const times =
    range.kind === 'all'
      ? {}
      : range.kind === 'own'
        ? { since: range.since, before: range.before }
        : { since: Date.now() - spans[range.kind] };
  const entries = Object.entries(rest).filter(([, value]) => value !== undefined && value !== '');
  return { ...Object.fromEntries(entries), ...times };
}

/** Calls, newest first, a page at a time, with their timeline. New calls come in by themselves. */
export function useHistory(query: HistoryCriteria) {
  const core = useCore();
  const version = useCoreState('history.changes', {})?.version;
  const [looked, setLooked] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: “the last hour” is another one with every look.
  const filter = useMemo(() => filterOf(query), [query, looked]);
  const list = useInfiniteQuery({
    queryKey: ['history.find', filter],
    initialPageParam: undefined as { at: number; id: number } | undefined,
    queryFn: ({ pageParam, signal }) =>
      core.call(
        'history.find',
        { ...filter, ...(pageParam && { after: pageParam }), limit: pageSize },
        { signal, waits: true },
      ),
    getNextPageParam: (page: HistoryEntry[]) => {
      const last = page.at(-1);
      return last && page.length === pageSize ? { at: last.at, id: last.id } : undefined;
    },
    placeholderData: keepPreviousData,
  });
  const overview = useQuery({
    queryKey: ['history.overview', filter],
    queryFn: ({ signal }) => core.call('history.overview', { ...filter, bars: 96 }, { signal, waits: true }),
    placeholderData: keepPreviousData,
  });
  const facets = useQuery({
    queryKey: ['history.facets'],
    queryFn: ({ signal }) => core.call('history.facets', {}, { signal, waits: true }),
  });
  const look = () => {
    setLooked((times) => times + 1);
    void list.refetch();
    void overview.refetch();
    void facets.refetch();
  };
  const pages = list.data?.pages.length ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the history is a reason.
  useEffect(() => {
    if (version && pages <= pagesKeptFresh) look();
  }, [version]);
  return { list, overview, facets, look, filter };
}
