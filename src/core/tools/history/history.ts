import { isAppError } from '../../../contract/errors';
import type { HistoryEntry, HistoryFacets, HistoryFilter, HistoryOverview } from '../../../contract/history';
import type { ToolUse } from '../../../contract/tools';
import {
  type Clock,
  createObservable,
  type Database,
  type Log,
  type Observable,
  redactText,
  type Statement,
} from '../../foundation';
import { exportHistory } from './history-export';
import { type Cursor, createHistoryQueries } from './history-query';

export type CallRecord = Omit<HistoryEntry, 'id' | 'arguments'>;
type NewEntry = CallRecord & { arguments: Readonly<Record<string, unknown>> };

/** What was called, for whoever asks. */
export interface CallHistory {
  /** Newest first; `after` is the last one of the page before. */
  find(filter: HistoryFilter & { after?: Cursor | undefined; limit: number }): HistoryEntry[];
  overview(filter: HistoryFilter, bars: number): HistoryOverview;
  facets(): HistoryFacets;
  /** How often each server was called; without what was answered from memory. */
  callsByServer(): Map<string, number>;
  export(filter: HistoryFilter, format: 'json' | 'csv', signal: AbortSignal): AsyncIterable<string>;
  /** Forgets what fits; what is allowed stays. Resolves with how many calls it forgot. */
  clear(filter: HistoryFilter): Promise<number>;
  readonly changes: Observable<{ version: number }>;
}

export interface History extends CallHistory {
  /** Written a moment later, many at once. Never throws: a full disk turns no call that was made into a failed one. */
  add(entry: NewEntry): void;
  /** When each tool was called last, as far as that can be read. */
  lastUsed(): ToolUse[];
  /** Writes what still waits. */
  close(): void;
}

const longestArguments = 4096;
/** So far behind the cut a secret across it still ends. */
const lookedThrough = longestArguments + 60_000;
const mostCalls = 100_000;
/** Milliseconds. */
const writeAfter = 50;

const table = `
  create table if not exists tool_calls (
    id integer primary key, call_id text not null, at real not null, by text not null, server_id text not null,
    server_name text not null, tool text not null, path text, arguments text not null, status text not null,
    ms real not null, result_bytes integer not null, cached integer not null, approval text not null, error text
  ) strict;
  create index if not exists tool_calls_at on tool_calls (at);
  create index if not exists tool_calls_tool on tool_calls (server_id, tool, at);
  create index if not exists tool_calls_server on tool_calls (server_id, at);
  create index if not exists tool_calls_status on tool_calls (status, at);
  create index if not exists tool_calls_path on tool_calls (path, at);
  create index if not exists tool_calls_by on tool_calls (by, at);
`;
const insert = `insert into tool_calls
  (call_id, at, by, server_id, server_name, tool, path, arguments, status, ms, result_bytes, cached, approval, error)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const trim = 'delete from tool_calls where id <= (select max(id) from tool_calls) - ?';
function statementOf(entry: NewEntry): Statement {
  return [
    insert,
    entry.callId,
    entry.at,
    entry.by,
    entry.serverId,
    entry.serverName,
    entry.tool,
    entry.path,
    redactText(JSON.stringify(entry.arguments).slice(0, lookedThrough)).slice(0, longestArguments),
    entry.status,
    entry.ms,
    entry.resultBytes,
    entry.cached ? 1 : 0,
    entry.approval,
    entry.error,
  ];
}

export function createHistory({
  database,
  clock,
  log,
}: {
  database: Database;
  clock: Clock;
  log: Log;
}): History {
  database.define(table);
  const queries = createHistoryQueries(database);
  const changes = createObservable({ version: 0 });
  const changed = () => changes.update(({ version }) => ({ version: version + 1 }));
  const lastUsed = 'select server_id, tool, max(at) as at from tool_calls group by server_id, tool';
  const counted = 'select server_id, count(*) as calls from tool_calls where cached = 0 group by server_id';
  void database.write([trim, mostCalls]);

  let waiting: NewEntry[] = [];
  let cancelWriting: () => void = () => undefined;

  function write(): void {
    cancelWriting();
    if (waiting.length === 0) return;
    const entries = waiting;
    waiting = [];
    database
      .write(...entries.map(statementOf))
      .then(changed, (error: unknown) =>
        log.error('history not written', { entries: entries.length, error }),
      );
  }

  return {
    add(entry) {
      waiting.push(entry);
      if (waiting.length === 1) cancelWriting = clock.after(writeAfter, write);
    },
    close: write,
    changes,
    find({ after, limit, ...filter }) {
      write();
      return queries.find(filter, after ?? null, limit);
    },
    overview(filter, bars) {
      write();
      return queries.overview(filter, bars);
    },
    facets() {
      write();
      return queries.facets();
    },
    callsByServer() {
      write();
      return new Map(database.all(counted).map((row) => [String(row.server_id), Number(row.calls)]));
    },
    export(filter, format, signal) {
      write();
      return exportHistory(queries.find, filter, format, signal);
    },
    async clear(filter) {
      write();
      const removed = await queries.remove(filter);
      changed();
      return removed;
    },
    lastUsed() {
      try {
        return database.all(lastUsed).map((row) => ({
          serverId: String(row.server_id),
          name: String(row.tool),
          at: Number(row.at),
        }));
      } catch (error) {
        if (!isAppError(error, 'data.unavailable')) throw error;
        return [];
      }
    },
  };
}
