import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { foreignWords, longestWords } from '../fence/foreign-words';
import { mostSaid } from '../fence/said-words';

/** A call that its server goes on with by itself: what has to be kept to ask for its end, also after a restart. */
export interface TaskHandle {
  readonly taskId: string;
  /** When it was made, by our clock. */
  readonly createdAt: number;
  /** How long the server keeps it; null: it did not say. */
  readonly ttlMs: number | null;
  readonly pollMs: number | null;
}

export interface CallProgress {
  readonly progress: number;
  readonly total: number | null;
  readonly message: string;
  /** No progress: the server writes meanwhile what is no answer. */
  readonly noise?: true;
}

export const tasksExtension = 'io.modelcontextprotocol/tasks';

/** A task as a server describes it at one moment, in either era. */
export interface TaskState extends TaskHandle {
  readonly status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';
  readonly message: string;
  /** Only the newer era puts these here; the older one has a question of its own for the result. */
  readonly result: unknown;
  readonly error: string | null;
  readonly inputRequests: Readonly<Record<string, { method: string; params: unknown }>>;
}

const count = z.number().nonnegative().nullish().catch(null);
const Task = z.looseObject({
  taskId: z.string().min(1).max(mostSaid.name.one),
  status: z.enum(['working', 'input_required', 'completed', 'failed', 'cancelled']),
  statusMessage: z.string().optional().catch(undefined),
  ttl: count,
  ttlMs: count,
  pollInterval: count,
  pollIntervalMs: count,
  result: z.unknown().optional(),
  error: z.looseObject({ message: z.string() }).optional().catch(undefined),
  inputRequests: z
    .record(z.string(), z.looseObject({ method: z.string(), params: z.unknown().optional() }))
    .catch({})
    .default({}),
});

/** Null where it is no task. */
export function readTask(raw: unknown, createdAt: number): TaskState | null {
  const { success, data } = Task.safeParse(raw);
  if (!success) return null;
  return {
    taskId: data.taskId,
    createdAt,
    status: data.status,
    message: foreignWords(data.statusMessage ?? '', longestWords.line),
    ttlMs: data.ttlMs ?? data.ttl ?? null,
    pollMs: data.pollIntervalMs ?? data.pollInterval ?? null,
    result: data.result,
    error: data.error ? foreignWords(data.error.message, longestWords.reason) : null,
    inputRequests: data.inputRequests as TaskState['inputRequests'],
  };
}

/** No server can write this key. */
const taskMark = Symbol('task');

const Progress = z.looseObject({
  progressToken: z.union([z.string(), z.number()]),
  progress: z.number(),
  total: z.number().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
});

/**
 * The SDK refuses a result of the type `task` and loses what it says; here it passes as a complete one that carries it.
 * It also forgets a call's progress with its answer, where a task's goes on under the same token: null then.
 */
export function createTaskFilter(
  onProgress: (taskId: string, progress: CallProgress) => void,
): (message: JSONRPCMessage) => JSONRPCMessage | null {
  /** Tasks by the token of the call that made them, which is that of its request. */
  const tokens = new Map<string | number, string>();

  return (message) => {
    if ('result' in message) {
      const { result } = message;
      const raw = 'task' in result ? result.task : result.resultType === 'task' ? result : null;
      const task = raw === null ? null : readTask(raw, 0);
      if (task && message.id !== undefined) tokens.set(message.id, task.taskId);
      return disguised(message);
    }
    if (!('method' in message) || message.method !== 'notifications/progress') return message;
    const { success, data } = Progress.safeParse(message.params);
    const taskId = success ? tokens.get(data.progressToken) : undefined;
    if (!success || taskId === undefined) return message;
    onProgress(taskId, {
      progress: data.progress,
      total: data.total ?? null,
      message: foreignWords(data.message ?? '', longestWords.line),
    });
    return null;
  };
}

function disguised<T extends JSONRPCMessage>(message: T): T {
  if (!('result' in message) || message.result.resultType !== 'task') return message;
  return { ...message, result: { resultType: 'complete', content: [], [taskMark]: message.result } };
}

/** What a `tools/call` was answered with, if that is a task and not a result. */
export function startedTask(raw: unknown, era: 'legacy' | 'modern', at: number): TaskState | null {
  if (typeof raw !== 'object' || raw === null) return null;
  if (era === 'modern') return taskMark in raw ? readTask(raw[taskMark], at) : null;
  return 'task' in raw ? readTask(raw.task, at) : null;
}
