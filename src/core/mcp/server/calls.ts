import { AppError, isAppError } from '../../../contract/errors';
import { type Clock, orCancelled, within } from '../../foundation';
import type { CallOptions, Connection } from '../client/connection';
import { reasonOf } from '../client/failures';
import type { McpCallResult } from '../features/call-result';
import type { SeenTool } from '../features/tool';
import type { ListedTool } from '../features/tool-list';
import type { CallProgress, TaskHandle } from '../tasks/task-state';
import type { Catalog } from './catalog';
import type { Metrics } from './metrics';
import type { OverSession } from './over-session';
import type { Supervisor } from './supervisor';
import type { TaskKeeper } from './task-keeper';

export interface McpCallOptions {
  /** Null: whatever the tool is. */
  seen: SeenTool | null;
  timeoutMs: number;
  longRunning: boolean;
  signal: AbortSignal;
  onProgress?: (progress: CallProgress) => void;
  /** The server goes on by itself. Left out: a task is made only of what cannot be called otherwise. */
  onTask?: (task: TaskHandle) => Promise<void> | void;
}

export type McpResumeOptions = Pick<McpCallOptions, 'signal' | 'onProgress'>;

/** The calls of one server’s tools. */
export interface Calls {
  call(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    options: McpCallOptions,
  ): Promise<McpCallResult>;
  areUnderWay(): boolean;
  /** The server wrote what is no answer: whoever waits for one learns of it, once. A greeting at its start is only noted. */
  noise(line: string): void;
}

interface CallParts {
  readonly clock: Clock;
  readonly supervisor: Pick<Supervisor, 'ready' | 'probeNow' | 'needsSignIn'>;
  readonly overSession: OverSession;
  readonly catalog: Catalog;
  readonly metrics: Metrics;
  /** What was started for a connection. */
  readonly origins: WeakMap<Connection, string>;
  readonly follow: TaskKeeper;
  /** Somebody waits for a server that wrote this. */
  onNoise(line: string): void;
}

/** How long a call waits for a list of tools that has changed; a server may announce changes without end. */
const listedMs = 2_000;

export function createCalls(parts: CallParts): Calls {
  const { clock, supervisor, overSession, catalog, metrics, follow } = parts;
  let count = 0;
  /** The calls that nobody was told of yet that what comes is no answer. */
  const underWay = new Set<(progress: CallProgress) => void>();

  async function start(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    seenTool: SeenTool | null,
    options: Omit<CallOptions, 'listed'>,
  ) {
    // What a start takes is no time of the answer.
    await supervisor.ready(options.signal);
    const startedAt = clock.now();
    const ask = async (over: Connection) => {
      if (catalog.isListing()) await within(orCancelled(catalog.listed(), options.signal), listedMs);
      return over.call(tool, args, { ...options, listed: listedTool(parts, over, tool, seenTool) });
    };
    count++;
    const tell = (progress: CallProgress) => options.onProgress?.(progress);
    underWay.add(tell);
    try {
      const answer = await overSession(ask, options.signal);
      metrics.answered(clock.now() - startedAt);
      return answer;
    } catch (error) {
      noteFailure(parts, error);
      throw error;
    } finally {
      count--;
      underWay.delete(tell);
    }
  }

  return {
    async call(tool, args, { seen: seenTool, timeoutMs, longRunning, signal, onProgress, onTask }) {
      const answer = await start(tool, args, seenTool, {
        timeoutMs,
        longRunning,
        signal,
        mayBeTask: onTask !== undefined,
        ...(onProgress && { onProgress: (progress: CallProgress) => onProgress(progress) }),
      });
      if (answer.kind === 'done') return answer.result;
      const { taskId, createdAt, ttlMs, pollMs } = answer.task;
      // Kept before anything else: whatever happens next, its result is not lost.
      await onTask?.({ taskId, createdAt, ttlMs, pollMs });
      return follow(answer.task, tool, { signal, ...(onProgress && { onProgress }) });
    },
    areUnderWay: () => count > 0,
    noise(line) {
      if (underWay.size === 0) return;
      parts.onNoise(line);
      for (const tell of underWay) tell({ progress: 0, total: null, message: '', noise: true });
      underWay.clear();
    },
  };
}

/** What the list says of a tool by now. Throws `tool.changed` where that is not the `seenTool`. */
function listedTool(
  { catalog, origins }: CallParts,
  connection: Connection,
  tool: string,
  seenTool: SeenTool | null,
): ListedTool | null {
  const listed = catalog.tool(tool) ?? null;
  const isSeen = listed?.definition === seenTool?.definition && origins.get(connection) === seenTool?.origin;
  if (seenTool !== null && !isSeen)
    throw new AppError('tool.changed', `“${tool}” is not what it was.`, { tool });
  return listed;
}

function noteFailure({ metrics, supervisor }: CallParts, error: unknown): void {
  if (error instanceof AppError && !isAppError(error, 'request.cancelled', 'tool.changed'))
    metrics.failed(reasonOf(error));
  // A connection without a process or a stream does not tell of its end.
  if (isAppError(error, 'mcp.unreachable')) supervisor.probeNow();
  if (isAppError(error, 'mcp.sign-in-needed')) supervisor.needsSignIn();
}
