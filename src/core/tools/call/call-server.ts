import { backoff, type Clock, cancelled, type Log, throwIfAborted } from '../../foundation';
import type { CallProgress, CatalogTool, Mcp, McpCallResult, TaskHandle } from '../../mcp';
import { isTransportFailure } from '../request/failures';

const retries = 2;

/** The call itself. A lost connection is tried again, but only where the tool says that repeating does no harm. */
export function createServerCall({
  mcp,
  generalTimeout,
  clock,
  log,
}: {
  mcp: Pick<Mcp, 'call' | 'ready'>;
  generalTimeout: () => number;
  clock: Clock;
  log: Log;
}) {
  return async (
    tool: CatalogTool,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    {
      onProgress,
      onTask,
    }: { onProgress(progress: CallProgress): void; onTask(task: TaskHandle): Promise<void> },
  ): Promise<McpCallResult> => {
    const repeatable = tool.annotations.readOnly === true || tool.annotations.idempotent === true;
    for (let attempt = 1; ; attempt++) {
      try {
        throwIfAborted(signal);
        const timeoutMs = tool.timeout ?? generalTimeout();
        const { longRunning } = tool;
        return await mcp.call(tool.serverId, tool.name, args, {
          seen: tool,
          timeoutMs,
          longRunning,
          signal,
          onProgress,
          onTask,
        });
      } catch (error) {
        if (!repeatable || attempt > retries || !isTransportFailure(error) || signal.aborted) throw error;
        log.info('tool call retried', { serverId: tool.serverId, tool: tool.name, attempt });
        await wait(clock, backoff(attempt, { first: 500, most: 4000 }, Math.random()), signal);
        await mcp.ready(tool.serverId, signal);
      }
    }
  };
}

function wait(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = clock.after(ms, () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    const onAbort = () => {
      stop();
      reject(cancelled());
    };
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
