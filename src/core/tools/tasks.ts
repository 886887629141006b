import { randomUUID } from 'node:crypto';
import type { HistoryEntry } from '../../contract/history';
import { type Clock, type Database, isAlive, type Log, redactText } from '../foundation';
import type { CatalogTool, TaskHandle } from '../mcp';

/** A call that its server goes on with, and where it belongs. */
export interface LeftTask {
  readonly callId: string;
  readonly serverId: string;
  readonly serverName: string;
  readonly tool: string;
  readonly path: string | null;
  readonly by: HistoryEntry['by'];
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly definition: string;
  readonly approval: string;
  readonly task: TaskHandle;
}

/** Calls that outlive the app. What is in here has no result yet where it belongs. */
export interface TaskStore {
  /** Written when it returns, unless the disk is full. */
  add(task: LeftTask, vault: string | null): void;
  knows(callId: string): boolean;
  forget(callId: string): void;
  /** Those of this vault, or of none, that nobody follows; from now on they are followed here. */
  takeOver(vault: string | null): LeftTask[];
  /** Nobody follows it here any more. */
  leave(callId: string): void;
  close(): void;
}

/** Several apps may have one database open (the command line beside the window): each says that it is still there. */
const sign = { everyMs: 10_000, gone: 30_000 };

export function createTaskStore({
  database,
  clock,
  log,
}: {
  database: Database;
  clock: Clock;
  log: Log;
}): TaskStore {
  const { sql } = database;
  database.define(`
    create table if not exists tool_tasks (
      call_id text primary key, task_id text not null, server_id text not null, server_name text not null,
      tool text not null, path text, vault text, by text not null, arguments text not null, definition text not null,
      approval text not null, created_at real not null, ttl_ms real, poll_ms real,
      owner text not null, pid integer not null, seen real not null
    ) strict;
  `);
  const owner = randomUUID();
  const insert = sql.prepare(`insert or replace into tool_tasks
    (call_id, task_id, server_id, server_name, tool, path, vault, by, arguments, definition, approval, created_at,
      ttl_ms, poll_ms, owner, pid, seen)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const one = sql.prepare('select 1 from tool_tasks where call_id = ?');
  const remove = sql.prepare('delete from tool_tasks where call_id = ?');
  const ofVault = sql.prepare(
    'select * from tool_tasks where vault is null or vault = ? order by created_at',
  );
  const take = sql.prepare(
    'update tool_tasks set owner = ?, pid = ?, seen = ? where call_id = ? and owner = ? and seen = ?',
  );
  const seen = sql.prepare('update tool_tasks set seen = ? where owner = ? and call_id = ?');
  const followed = new Set<string>();
  let cancelSign: (() => void) | null = null;

  function follow(callId: string): void {
    followed.add(callId);
    cancelSign ??= clock.after(sign.everyMs, function again() {
      cancelSign = null;
      for (const id of followed) quietly(() => seen.run(clock.now(), owner, id));
      if (followed.size > 0) cancelSign = clock.after(sign.everyMs, again);
    });
  }

  function leave(callId: string): void {
    followed.delete(callId);
    quietly(() => seen.run(0, owner, callId));
  }

  /** A full disk must not turn a call that was made into a failed one. */
  function quietly(work: () => void): void {
    try {
      work();
    } catch (error) {
      log.error('task not kept', { error });
    }
  }

  const isFree = (row: Record<string, unknown>): boolean => {
    if (row.owner === owner) return !followed.has(String(row.call_id));
    return Number(row.seen) < clock.now() - sign.gone || !isAlive(Number(row.pid));
  };

  return {
    add(task, vault) {
      const { task: handle } = task;
      quietly(() =>
        insert.run(
          task.callId,
          handle.taskId,
          task.serverId,
          task.serverName,
          task.tool,
          task.path,
          vault,
          task.by,
          redactText(JSON.stringify(task.arguments)),
          task.definition,
          task.approval,
          handle.createdAt,
          handle.ttlMs,
          handle.pollMs,
          owner,
          process.pid,
          clock.now(),
        ),
      );
      follow(task.callId);
    },
    knows: (callId) => one.get(callId) !== undefined,
    forget(callId) {
      if (followed.delete(callId)) quietly(() => remove.run(callId));
    },
    takeOver: (vault) =>
      ofVault.all(vault).flatMap((row) => {
        const callId = String(row.call_id);
        // Who is second to see that its owner is gone changes nothing.
        const isOurs =
          isFree(row) &&
          take.run(owner, process.pid, clock.now(), callId, String(row.owner), Number(row.seen)).changes > 0;
        if (!isOurs) return [];
        follow(callId);
        return [readTask(row)];
      }),
    leave,
    close() {
      cancelSign?.();
      for (const callId of [...followed]) leave(callId);
    },
  };
}

/** What has to be kept of a call that was made. */
export function leftTask(
  { callId, path, by }: Pick<LeftTask, 'callId' | 'path' | 'by'>,
  { tool, ...made }: { tool: CatalogTool } & Pick<LeftTask, 'arguments' | 'approval'>,
  task: TaskHandle,
): LeftTask {
  const { serverId, serverName, name, definition } = tool;
  return { callId, serverId, serverName, tool: name, path, by, definition, ...made, task };
}

function readTask(row: Record<string, unknown>): LeftTask {
  const count = (value: unknown) => (value === null ? null : Number(value));
  return {
    callId: String(row.call_id),
    serverId: String(row.server_id),
    serverName: String(row.server_name),
    tool: String(row.tool),
    path: row.path === null ? null : String(row.path),
    by: row.by as LeftTask['by'],
    arguments: readArguments(String(row.arguments)),
    definition: String(row.definition),
    approval: String(row.approval),
    task: {
      taskId: String(row.task_id),
      createdAt: Number(row.created_at),
      ttlMs: count(row.ttl_ms),
      pollMs: count(row.poll_ms),
    },
  };
}

/** Hiding what looks like a secret may have left something that is no JSON. */
function readArguments(text: string): LeftTask['arguments'] {
  try {
    return JSON.parse(text) as LeftTask['arguments'];
  } catch {
    return {};
  }
}
