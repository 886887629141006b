import type { CallStatus, HistoryEntry } from '../../contract/tools';
import { type Clock, type Database, type Log, redactText } from '../foundation';

export interface HistoryFilter {
  readonly serverId?: string;
  readonly tool?: string;
  readonly status?: CallStatus;
  readonly path?: string;
  readonly by?: HistoryEntry['by'];
  readonly since?: number;
  readonly before?: number;
  readonly limit: number;
}

type NewEntry = Omit<HistoryEntry, 'arguments'> & { arguments: Readonly<Record<string, unknown>> };

export interface History {
  /** Written a moment later, many at once. Never throws: a full disk must not turn a call that was made into a failed one. */
  add(entry: NewEntry): void;
  /** Newest first. */
  find(filter: HistoryFilter): HistoryEntry[];
  clear(): void;
  /** When each tool was last used; keys as `lastUsedKey` makes them. */
  lastUsed(): Map<string, number>;
  /** Writes what still waits. */
  close(): void;
}

const longestArguments = 4096;
const kept = 50_000;
/** Milliseconds. */
const writeAfter = 50;

export function lastUsedKey(serverId: string, tool: string): string {
  return JSON.stringify([serverId, tool]);
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
  const { sql } = database;
  sql.exec(`
    create table if not exists tool_calls (
      id integer primary key, call_id text not null, at real not null, by text not null, server_id text not null,
      server_name text not null, tool text not null, path text, arguments text not null, status text not null,
      ms real not null, result_bytes integer not null, cached integer not null, approval text not null, error text
    ) strict;
    create index if not exists tool_calls_at on tool_calls (at);
    create index if not exists tool_calls_tool on tool_calls (server_id, tool, at);
  `);
  const insert = sql.prepare(`insert into tool_calls
    (call_id, at, by, server_id, server_name, tool, path, arguments, status, ms, result_bytes, cached, approval, error)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const trim = sql.prepare('delete from tool_calls where id <= (select max(id) from tool_calls) - ?');
  const find = sql.prepare(`select * from tool_calls
    where ($serverId is null or server_id = $serverId) and ($tool is null or tool = $tool)
      and ($status is null or status = $status) and ($path is null or path = $path)
      and ($by is null or by = $by) and ($since is null or at >= $since)
      and ($before is null or at < $before)
    order by at desc, id desc limit $limit`);
  const lastUsed = sql.prepare(
    'select server_id, tool, max(at) as at from tool_calls group by server_id, tool',
  );
  trim.run(kept);

  let waiting: NewEntry[] = [];
  let cancelWriting: () => void = () => undefined;

  function write(): void {
    cancelWriting();
    if (waiting.length === 0) return;
    const entries = waiting;
    waiting = [];
    try {
      sql.exec('begin');
      for (const entry of entries) writeOne(entry);
      sql.exec('commit');
    } catch (error) {
      log.error('history not written', { entries: entries.length, error });
      if (sql.isTransaction) sql.exec('rollback');
    }
  }

  function writeOne(entry: NewEntry): void {
    insert.run(
      entry.callId,
      entry.at,
      entry.by,
      entry.serverId,
      entry.serverName,
      entry.tool,
      entry.path,
      redactText(JSON.stringify(entry.arguments)).slice(0, longestArguments),
      entry.status,
      entry.ms,
      entry.resultBytes,
      entry.cached ? 1 : 0,
      entry.approval,
      entry.error,
    );
  }

  return {
    add(entry) {
      waiting.push(entry);
      if (waiting.length === 1) cancelWriting = clock.after(writeAfter, write);
    },
    close: write,
    find({ serverId, tool, status, path, by, since, before, limit }) {
      write();
      const rows = find.all({
        serverId: serverId ?? null,
        tool: tool ?? null,
        status: status ?? null,
        path: path ?? null,
        by: by ?? null,
        since: since ?? null,
        before: before ?? null,
        limit,
      });
      return rows.map((row) => ({
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
      }));
    },
    clear() {
      write();
      sql.exec('delete from tool_calls');
    },
    lastUsed: () =>
      new Map(
        lastUsed.all().map((row) => [lastUsedKey(String(row.server_id), String(row.tool)), Number(row.at)]),
      ),
  };
}
