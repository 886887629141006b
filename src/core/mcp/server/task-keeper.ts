import { AppError, isAppError } from '../../../contract/errors';
import { backoff, type Clock, cancelled, delay, isLeaving } from '../../foundation';
import { unreachable } from '../client/failures';
import type { McpCallResult } from '../features/call-result';
import type { ListedTool } from '../features/tool-list';
import type { CallProgress, TaskHandle, TaskState } from '../tasks/task-state';
import { taskEnded } from '../tasks/tasks';
import type { Supervisor } from './supervisor';

/** A server that does not say how long it keeps a task is asked for it this long. */
const mostMs = 7 * 24 * 60 * 60_000;
const pauses = { first: 1_000, most: 60_000 };

/** The end of a task. */
export type TaskKeeper = (
  task: TaskHandle | TaskState,
  tool: string,
  options: { signal: AbortSignal; onProgress?: (progress: CallProgress) => void },
) => Promise<McpCallResult>;

/**
 * Follows a task of one server over as many connections as it takes: neither a server that is restarted nor a network
 * that is away for a while ends it. Stop is told to the server; leaving is not.
 */
export function createTaskKeeper({
  serverId,
  clock,
  supervisor,
  outputSchema,
  isRemoved,
}: {
  serverId: string;
  clock: Clock;
  supervisor: Pick<Supervisor, 'life' | 'ready' | 'connection' | 'probeNow' | 'needsSignIn'>;
  outputSchema(tool: string): ListedTool['outputSchema'];
  /** It is in no file any more. */
  isRemoved(): boolean;
}): TaskKeeper {
  return async (task, tool, { signal, onProgress }) => {
    const answered = new Set<string>();
    const until = task.createdAt + (task.ttlMs ?? mostMs);
    let hasAsked = false;
    let latest: CallProgress = { progress: 0, total: null, message: '' };
    const say = (change: Partial<CallProgress>) => {
      const next = { ...latest, ...change };
      if (JSON.stringify(next) !== JSON.stringify(latest)) onProgress?.(next);
      latest = next;
    };
    /** A server that a person stops in the middle stays stopped. */
    const reach = async () => {
      if (isRemoved()) throw new AppError('mcp.unknown-server', 'There is no such server.', { serverId });
      if (hasAsked && supervisor.life.get().state.kind === 'stopped')
        throw unreachable(serverId, { code: 'stopped' });
      const connection = await supervisor.ready(signal);
      hasAsked = true;
      return connection;
    };
    const onAbort = () => {
      if (!isLeaving(signal)) void supervisor.connection()?.cancelTask(task.taskId);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    let now = task;
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          const connection = await reach();
          return await connection.follow(now, {
            signal,
            answered,
            outputSchema: outputSchema(tool),
            onState(state) {
              attempt = 1;
              say({ message: wordsFor(state) });
            },
            onProgress: ({ message, ...progress }) =>
              say({ ...progress, ...(message !== '' && { message }) }),
          });
        } catch (error) {
          if (signal.aborted) throw cancelled();
          if (isAppError(error, 'mcp.sign-in-needed')) supervisor.needsSignIn();
          else if (!isAppError(error, 'mcp.unreachable', 'tool.timed-out')) throw error;
          if (clock.now() > until) throw taskEnded(serverId, 'unknown', error.message);
          supervisor.probeNow();
          say({ message: `The task goes on, but the server cannot be asked: ${error.message}` });
          // What the first connection said of it is old by now.
          const { taskId, createdAt, ttlMs, pollMs } = task;
          now = { taskId, createdAt, ttlMs, pollMs };
          await delay(backoff(attempt, pauses, Math.random()), signal);
        }
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  };
}

function wordsFor({ status, message }: Pick<TaskState, 'status' | 'message'>): string {
  switch (status) {
    case 'input_required':
      return message || 'It waits for an answer of yours.';
    case 'working':
      return message || 'The server works on it.';
    case 'completed':
    case 'failed':
    case 'cancelled':
      return message;
  }
}
