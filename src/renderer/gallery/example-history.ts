import type { Handlers } from '../../contract/define';
import type { HistoryFilter, historyOperations } from '../../contract/history';
import { exampleHistory } from './example-data';
import { live } from './live';

const hour = 3_600_000;

/** Answers for the history, from examples in memory. */
export function createExampleHistory(isEmpty: boolean): Handlers<typeof historyOperations> {
  const calls = isEmpty ? [] : exampleHistory.toSorted((a, b) => b.at - a.at);
  const fitting = ({ words, since = 0, before = Number.POSITIVE_INFINITY, ...same }: HistoryFilter) =>
    calls.filter(
      (call) =>
        call.at >= since &&
        call.at < before &&
        call.arguments.toLowerCase().includes(words?.toLowerCase() ?? '') &&
        Object.entries(same).every(
          ([key, value]) => value === undefined || call[key as keyof typeof same] === value,
        ),
    );
  const counted = <T>(values: readonly T[]) => [...Map.groupBy(values, (value) => value)];
  return {
    'history.find': ({ after, limit, ...filter }) => {
      const results = fitting(filter);
      const from = after ? results.findIndex(({ id }) => id === after.id) + 1 : 0;
      return results.slice(from, from + limit);
    },
    'history.overview': ({ bars: _, ...filter }) => {
      const results = fitting(filter);
      const from = filter.since ?? results.at(-1)?.at ?? 0;
      const length = results.length === 0 ? 0 : Math.ceil(((results[0]?.at ?? 0) - from) / hour) + 1;
      const bars = Array.from({ length }, () => ({ calls: 0, failed: 0 }));
      for (const call of results) {
        const bar = bars[Math.floor((call.at - from) / hour)];
        if (!bar) continue;
        bar.calls += 1;
        if (call.status === 'error') bar.failed += 1;
      }
      return { total: results.length, from, step: hour, bars };
    },
    'history.facets': () => ({
      servers: counted(calls.map(({ serverName }) => serverName)).map(([name, its]) => ({
        id: `srv-${name}`,
        name,
        calls: its.length,
      })),
      tools: counted(calls.map(({ tool }) => tool)).map(([name, its]) => ({
        serverId: calls.find(({ tool }) => tool === name)?.serverId ?? '',
        name,
        calls: its.length,
      })),
      paths: counted(calls.flatMap(({ path }) => path ?? [])).map(([path, its]) => ({
        path,
        calls: its.length,
      })),
    }),
    async *'history.export'({ format: _, ...filter }) {
      yield JSON.stringify(fitting(filter));
    },
    'history.clear': (filter) => ({ removed: fitting(filter).length }),
    'history.changes': (_, { signal }) => live({ version: 1 }).follow(signal),
  };
}
