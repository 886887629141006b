import { useInfiniteQuery } from '@tanstack/react-query';
import type { CallStatus, HistoryEntry } from '../../../contract/tools';
import { useCore } from '../../app/core';

export interface HistoryFilter {
  serverId: string | undefined;
  status: CallStatus | undefined;
}

const pageSize = 100;

/** Calls, newest first, a page at a time. */
export function useHistory(filter: HistoryFilter) {
  const core = useCore();
  return useInfiniteQuery({
    queryKey: ['tools.history', filter],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) => {
      const given = Object.entries({ ...filter, before: pageParam }).filter(
        ([, value]) => value !== undefined,
      );
      return core.call('tools.history', { ...Object.fromEntries(given), limit: pageSize }, { signal });
    },
    getNextPageParam: (page: HistoryEntry[]) => (page.length < pageSize ? undefined : page.at(-1)?.at),
    placeholderData: (previous) => previous,
  });
}
