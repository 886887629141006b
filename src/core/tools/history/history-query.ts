import type { HistoryEntry, HistoryFacets, HistoryFilter, HistoryOverview } from '../../../contract/history';
import type { CallStatus } from '../../../contract/tools';
import type { Database } from '../../foundation';

export interface Cursor {
  readonly at: number;
  readonly id: number;
}

type Value = string | number;
interface Where {
  readonly text: string;
  readonly values: readonly Value[];
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const steps = [
  ...[second, 5 * second, 15 * second, minute, 5 * minute, 15 * minute, hour, 3 * hour, 6 * hour, 12 * hour],
  ...[day, 2 * day, 7 * day, 30 * day, 90 * day, 365 * day],
];
const mostPaths = 200;

/** Reads the table of calls. Only what is asked for stands in a statement, so that an index can serve it. */
export function createHistoryQueries(database: Pick<Database, 'all' | 'write'>) {
  function find(filter: HistoryFilter, after: Cursor | null, limit: number): HistoryEntry[] {
    const { text, values } = whereOf(filter, after);
    return database
      .all(`select * from tool_calls ${text} order by at desc, id desc limit ?`, ...values, limit)
      .map(entryOf);
  }

  function overview(filter: HistoryFilter, bars: number): HistoryOverview {
    const [ends] = database.all('select min(at) as first, max(at) as last from tool_calls');
    const first = filter.since ?? Number(ends?.first ?? 0);
    const end = Math.max(first, filter.before ?? Number(ends?.last ?? 0));
    const step = steps.find((one) => (end - first) / one < bars) ?? Math.ceil((end - first) / bars);
    const from = Math.floor(first / step) * step;
    const { text, values } = whereOf(filter, null);
    const counted = database.all(
      `select cast((at - ?) / ? as integer) as bar, count(*) as calls,
      sum(status in ('error', 'interrupted')) as failed from tool_calls ${text} group by bar`,
      from,
      step,
      ...values,
    );
    const length = Math.floor((end - from) / step) + 1;
    const buckets = Array.from({ length }, () => ({ calls: 0, failed: 0 }));
    let total = 0;
    for (const row of counted) {
      total += Number(row.calls);
      const bar = buckets[Math.min(Number(row.bar), length - 1)];
      if (!bar) continue;
      bar.calls += Number(row.calls);
      bar.failed += Number(row.failed);
    }
    return { total, from, step, bars: total === 0 ? [] : buckets };
  }

  function facets(): HistoryFacets {
    const tools = database
      .all('select server_id, tool, count(*) as calls from tool_calls group by server_id, tool')
      .map((row) => ({ serverId: String(row.server_id), name: String(row.tool), calls: Number(row.calls) }))
      .sort((a, b) => b.calls - a.calls);
    // The name it had last; looked up one by one, since all else is in the index.
    const newest = 'select server_name from tool_calls where server_id = ? order by at desc limit 1';
    const servers = [...Map.groupBy(tools, ({ serverId }) => serverId)].map(([id, its]) => ({
      id,
      name: String(database.all(newest, id)[0]?.server_name ?? id),
      calls: its.reduce((sum, { calls }) => sum + calls, 0),
    }));
    const paths = database.all(`select path, count(*) as calls from tool_calls where path is not null
      group by path order by calls desc limit ${mostPaths}`);
    return {
      servers: servers.sort((a, b) => b.calls - a.calls),
      tools,
      paths: paths.map((row) => ({ path: String(row.path), calls: Number(row.calls) })),
    };
  }

  function remove(filter: HistoryFilter): Promise<number> {
    const { text, values } = whereOf(filter, null);
    return database.write([`delete from tool_calls ${text}`, ...values]);
  }

  return { find, overview, facets, remove };
}

function whereOf(filter: HistoryFilter, after: Cursor | null): Where {
  const conditions: string[] = [];
  const values: Value[] = [];
  const hold = (condition: string, ...parameters: (Value | undefined)[]) => {
    const present = parameters.filter((value) => value !== undefined);
    if (present.length === 0) return;
    conditions.push(condition);
    values.push(...present);
  };
  hold('server_id = ?', filter.serverId);
  hold('tool = ?', filter.tool);
  hold('status = ?', filter.status);
  hold('path = ?', filter.path);
  hold('by = ?', filter.by);
  hold('at >= ?', filter.since);
  hold('at < ?', filter.before);
  hold('(at, id) < (?, ?)', after?.at, after?.id);
  for (const word of filter.words?.split(/\s+/).filter(Boolean) ?? []) {
    const pattern = `%${word.replace(/[\\%_]/g, '\\$&')}%`;
    const columns = ['arguments', 'tool', 'server_name', 'error'];
    const anywhere = columns.map((column) => `${column} like ? escape '\\'`).join(' or ');
    hold(`(${anywhere})`, ...columns.map(() => pattern));
  }
  return { text: conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`, values };
}

function entryOf(row: Record<string, unknown>): HistoryEntry {
  return {
    id: Number(row.id),
    callId: String(row.call_id),
    at: Number(row.at),
    by: row.by as HistoryEntry['by'],
    serverId: String(row.server_id),
    serverName: String(row.server_name),
    tool: String(row.tool),
    path: row.path === null ? null : String(row.path),
    arguments: String(row.arguments),
    status: row.status as CallStatus,
    ms: Number(row.ms),
    resultBytes: Number(row.result_bytes),
    cached: row.cached === 1,
    approval: String(row.approval),
    error: row.error === null ? null : String(row.error),
  };
}
