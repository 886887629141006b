import { randomUUID } from 'node:crypto';
import type { HistoryEntry } from '../../../contract/history';
import { type Clock, type Database, isAlive, type Log, redactText, within } from '../../foundation';
import type { CatalogTool, TaskHandle } from '../../mcp';

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
  /** Resolves when it is written; after a while also where it can't be now. */
  add(task: LeftTask, vault: string | null): Promise<void>;
  knows(callId: string): boolean;
  forget(callId: string): void;
  /** Those of this vault, or of none, that nobody follows; from now on they are followed here. */
  takeOver(vault: string | null): Promise<LeftTask[]>;
  /** Nobody follows it here any more. */
  leave(callId: string): void;
  close(): void;
}

/** Several apps may have one database open (the command line beside the window): each says that it is still there. */
const sign = { everyMs: 10_000, gone: 30_000 };
/** Milliseconds; a call that was made is followed all the same. */
const longestKeeping = 2_000;

interface Row {
  call_id: string;
  task_id: string;
  server_id: string;
  server_name: string;
  tool: string;
  path: string | null;
  vault: string | null;
  by: string;
  arguments: string;
  definition: string;
  approval: string;
  created_at: number;
  ttl_ms: number | null;
  poll_ms: number | null;
  owner: string;
  pid: number;
  seen: number;
}

export function createTaskStore({
  database,
  clock,
  log,
}: {
  database: Database;
  clock: Clock;
  log: Log;
}): TaskStore {
  const rows = database.table<Row>(`
    create table if not exists tool_tasks (
      call_id text primary key, task_id text not null, server_id text not null, server_name text not null,
      tool text not null, path text, vault text, by text not null, arguments text not null, definition text not null,
      approval text not null, created_at real not null, ttl_ms real, poll_ms real,
      owner text not null, pid integer not null, seen real not null
    ) strict
  `);
  const owner = randomUUID();
  const followed = new Set<string>();
  let cancelSign: (() => void) | null = null;

  function say(callId: string, sign: number): void {
    const row = rows.get({ call_id: callId });
    if (row?.owner === owner) void rows.put({ ...row, seen: sign });
  }

  function follow(callId: string): void {
    followed.add(callId);
    cancelSign ??= clock.after(sign.everyMs, function again() {
      cancelSign = null;
      for (const id of followed) say(id, clock.now());
      if (followed.size > 0) cancelSign = clock.after(sign.everyMs, again);
    });
  }

  function leave(callId: string): void {
    followed.delete(callId);
    say(callId, 0);
  }

  const isFree = (row: Row): boolean => {
    if (row.owner === owner) return !followed.has(row.call_id);
    return row.seen < clock.now() - sign.gone || !isAlive(row.pid);
  };

  return {
    async add(task, vault) {
      follow(task.callId);
      const write = rows.put({ ...rowOf(task), vault, owner, pid: process.pid, seen: clock.now() });
      const isKept = await within(write, longestKeeping).catch(() => false);
      if (!isKept) log.error('task not kept yet', { callId: task.callId });
    },
    knows: (callId) => rows.get({ call_id: callId }) !== undefined,
    forget(callId) {
      if (followed.delete(callId)) void rows.remove({ call_id: callId });
    },
    async takeOver(vault) {
      const tasks: LeftTask[] = [];
      const all = rows.all().filter((row) => row.vault === null || row.vault === vault);
      for (const row of all.sort((a, b) => a.created_at - b.created_at)) {
        // Who is second to see that its owner is gone changes nothing.
        const ours = { ...row, owner, pid: process.pid, seen: clock.now() };
        if (!isFree(row) || !(await rows.exchange(row, ours))) continue;
        follow(row.call_id);
        tasks.push(readTask(row));
      }
      return tasks;
    },
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
  { tool, ...call }: { tool: CatalogTool } & Pick<LeftTask, 'arguments' | 'approval'>,
  task: TaskHandle,
): LeftTask {
  const { serverId, serverName, name, definition } = tool;
  return { callId, serverId, serverName, tool: name, path, by, definition, ...call, task };
}

function rowOf({ task, ...left }: LeftTask): Omit<Row, 'vault' | 'owner' | 'pid' | 'seen'> {
  return {
    call_id: left.callId,
    task_id: task.taskId,
    server_id: left.serverId,
    server_name: left.serverName,
    tool: left.tool,
    path: left.path,
    by: left.by,
    arguments: redactText(JSON.stringify(left.arguments)),
    definition: left.definition,
    approval: left.approval,
    created_at: task.createdAt,
    ttl_ms: task.ttlMs,
    poll_ms: task.pollMs,
  };
}

function readTask(row: Row): LeftTask {
  return {
    callId: row.call_id,
    serverId: row.server_id,
    serverName: row.server_name,
    tool: row.tool,
    path: row.path,
    by: row.by as LeftTask['by'],
    arguments: readArguments(row.arguments),
    definition: row.definition,
    approval: row.approval,
    task: { taskId: row.task_id, createdAt: row.created_at, ttlMs: row.ttl_ms, pollMs: row.poll_ms },
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
