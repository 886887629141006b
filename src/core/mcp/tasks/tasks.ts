import { AppError, isAppError } from '../../../contract/errors';
import { anySignal, delay, throwIfAborted } from '../../foundation';
import type { CallProgress, TaskHandle } from './task-state';
import { readTask, type TaskState } from './task-state';

/** Milliseconds. */
const poll = { usual: 2_000, least: 100, most: 60_000 };
const requestMs = 30_000;
const cancelMs = 5_000;
/** A result may be a moment behind the news that it is there. */
const graceMs = 250;
/** Asked for again where the connection does not hold that long. */
const payloadMs = 60 * 60_000;

/** What following a task needs of a connection. Its requests throw an `AppError`. */
export interface TaskWire {
  readonly serverId: string;
  readonly era: 'legacy' | 'modern';
  request(
    method: string,
    params: Record<string, unknown>,
    options: { timeoutMs: number; signal?: AbortSignal },
  ): Promise<unknown>;
  /** The person's or the app's answer to what the server asks, as if it had asked directly. */
  answer(method: string, params: unknown, signal: AbortSignal): Promise<unknown>;
}

export interface TaskFollowing {
  readonly signal: AbortSignal;
  onState(state: Pick<TaskState, 'status' | 'message'>): void;
  onProgress(progress: CallProgress): void;
  /** Names of questions that were answered already, also over an earlier connection. */
  readonly answered: Set<string>;
}

/**
 * Asks on until the task has ended; the answer is what the call itself would have been answered with. Throws
 * `mcp.task-ended` where there is no result, and whatever a request throws: the task then goes on at the server.
 */
export async function followTask(
  wire: TaskWire,
  task: TaskHandle | TaskState,
  following: TaskFollowing,
): Promise<unknown> {
  const over = new AbortController();
  const signal = anySignal(following.signal, over.signal);
  // In the older era this question waits at the server for the end, and brings its questions to us meanwhile.
  const payload = wire.era === 'legacy' ? createPayload(wire, task.taskId, signal) : null;
  const polling = pollTask(wire, task, { ...following, signal });
  try {
    const end = await Promise.race([polling.then((state) => ({ state })), payload?.early ?? never]);
    if ('raw' in end) return end.raw;
    return payload ? await payload.last(end.state) : settle(wire, end.state);
  } catch (error) {
    // A server may forget a task as soon as it has handed out its result.
    const late = isAppError(error, 'mcp.task-ended') && payload ? await payload.soon() : null;
    if (late) return late.raw;
    throw error;
  } finally {
    over.abort();
    polling.catch(() => undefined);
  }
}

/** Looks at the pace that the server asks for, and answers its questions, until the task is over. */
async function pollTask(
  wire: TaskWire,
  task: TaskHandle | TaskState,
  { signal, onState, answered }: TaskFollowing,
): Promise<TaskState> {
  const { taskId } = task;
  const failures: unknown[] = [];

  async function look(): Promise<TaskState> {
    const state = readTask(
      await wire.request('tasks/get', { taskId }, { timeoutMs: requestMs, signal }),
      task.createdAt,
    );
    if (state) return state;
    throw new AppError('mcp.protocol', 'The server’s answer about its task cannot be read.', {
      serverId: wire.serverId,
      reason: 'not a task',
    });
  }

  async function answer(key: string, method: string, params: unknown): Promise<void> {
    const inputResponses = { [key]: await wire.answer(method, params, signal) };
    await wire.request('tasks/update', { taskId, inputResponses }, { timeoutMs: requestMs, signal });
  }

  let state = 'status' in task ? task : await look();
  for (;;) {
    throwIfAborted(signal);
    onState(state);
    if (isOver(state)) return state;
    for (const [key, { method, params }] of Object.entries(state.inputRequests)) {
      if (answered.has(key)) continue;
      answered.add(key);
      void answer(key, method, params).catch((error: unknown) => failures.push(error));
    }
    await delay(Math.min(poll.most, Math.max(poll.least, state.pollMs ?? poll.usual)), signal);
    if (failures.length > 0) throw failures[0];
    state = await look();
  }
}

/** The server is told that nobody wants the result any more. Whether it could be told does not matter to the caller. */
export async function cancelTask(wire: TaskWire, taskId: string): Promise<void> {
  await wire.request('tasks/cancel', { taskId }, { timeoutMs: cancelMs }).catch(() => undefined);
}

const never = new Promise<never>(() => undefined);
const isOver = ({ status }: TaskState) =>
  status === 'completed' || status === 'failed' || status === 'cancelled';

function createPayload(wire: TaskWire, taskId: string, signal: AbortSignal) {
  const ask = () => wire.request('tasks/result', { taskId }, { timeoutMs: payloadMs, signal });
  const first = ask().then(
    (raw) => ({ raw }),
    // Too early for this server, or the connection did not hold: the task's own state decides.
    () => null,
  );
  return {
    /** The result as soon as it is there. */
    early: first.then((answer) => answer ?? never),
    soon: () => Promise.race([first, delay(graceMs, signal).then(() => null)]),
    async last(state: TaskState): Promise<unknown> {
      if (state.status === 'cancelled') throw taskEnded(wire.serverId, 'cancelled', state.message);
      const answer = await Promise.race([first, delay(graceMs, signal).then(() => null)]);
      if (answer) return answer.raw;
      return ask().catch((error: unknown) => {
        if (!isAppError(error, 'mcp.protocol')) throw error;
        throw taskEnded(wire.serverId, 'failed', error.details.reason || state.message);
      });
    },
  };
}

function settle({ serverId }: TaskWire, { status, message, error, result }: TaskState): unknown {
  if (status === 'completed') return result;
  throw taskEnded(serverId, status === 'cancelled' ? 'cancelled' : 'failed', error ?? message);
}

const words = {
  failed: 'The task failed at the server',
  cancelled: 'The task was cancelled at the server',
  unknown: 'The server no longer knows this task: it has expired, or the server did not keep it',
} as const;

export function taskEnded(
  serverId: string,
  how: keyof typeof words,
  reason: string,
): AppError<'mcp.task-ended'> {
  const message = reason === '' ? `${words[how]}.` : `${words[how]} (${reason.replace(/\.$/, '')}).`;
  return new AppError('mcp.task-ended', message, { serverId, how, reason });
}
