import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { AppError } from '../../../contract/errors';
import { brokenPromise, MalformedResult, type McpCallResult, readCallResult } from '../features/call-result';
import { headersFor, toolHeaders } from '../features/tool-headers';
import type { ListedTool } from '../features/tool-list';
import { foreignWords, longestWords } from '../fence/foreign-words';
import { type CallProgress, startedTask } from '../tasks/task-state';
import { cancelTask, followTask, type TaskWire, taskEnded } from '../tasks/tasks';
import type { Connection } from './connection';
import { isHeaderMismatch, malformed, wordsOf } from './failures';
import { limits } from './limits';
import { createRequestTimeout } from './request-timeout';
import { answerEmbedded } from './server-requests';
import { failureIn, type Session } from './session';
import { offerVisits } from './url-elicitation';

/** How long a server is asked to keep a task, in milliseconds. */
const taskTtlMs = 24 * 60 * 60_000;

/** Who is told of a task's progress, by the task's id. */
export type TaskFollowers = Map<string, (progress: CallProgress) => void>;

/** Calls over one connection, and the tasks that a server may make of them. */
export function createToolCalls(
  session: Session,
  { followers, onToolsChanged }: { followers: TaskFollowers; onToolsChanged(): void },
): Pick<Connection, 'call' | 'follow' | 'cancelTask'> {
  const { serverId, client, era, offers, requests, checkOutput } = session;
  const wire = taskWire(session);
  const read = async (raw: unknown, outputSchema: ListedTool['outputSchema']): Promise<McpCallResult> =>
    readCallResult(raw, await brokenPromise(raw, outputSchema, checkOutput));
  return {
    async call(tool, args, { timeoutMs, longRunning, signal, listed, mayBeTask, onProgress }) {
      const mostMs = Math.max(timeoutMs, limits.longestCallMs);
      const timeout = createRequestTimeout(timeoutMs, { mostMs, signal, isPaused: session.isAsking });
      const declarations = era === 'modern' && listed ? toolHeaders(listed.inputSchema) : [];
      const headers = 'code' in declarations ? {} : headersFor(declarations, args);
      const support = offers.tasks?.requests?.tools?.call ? listed?.taskSupport : 'forbidden';
      const asTask = era === 'legacy' && (support === 'required' || (support === 'optional' && mayBeTask));
      const params = { name: tool, arguments: args, ...(asTask && { task: { ttl: taskTtlMs } }) };
      try {
        const raw: unknown = await client.request(
          { method: 'tools/call', params: { ...params, ...session.meta() } },
          z.unknown(),
          {
            signal: timeout.signal,
            // The time is kept by us: a person may have to be asked meanwhile.
            timeout: mostMs + 1_000,
            ...(Object.keys(headers).length > 0 && { headers }),
            onprogress: ({ progress, total, message }) => {
              if (longRunning) timeout.renew();
              onProgress?.({
                progress,
                total: total ?? null,
                message: foreignWords(message ?? '', longestWords.line),
              });
            },
          },
        );
        const task = asTask || era === 'modern' ? startedTask(raw, era, Date.now()) : null;
        if (task) return { kind: 'task', task };
        return { kind: 'done', result: await read(raw, listed?.outputSchema ?? null) };
      } catch (error) {
        if (isHeaderMismatch(error)) onToolsChanged();
        const visited = await offerVisits(error, requests, { serverId, signal });
        if (visited) throw visited;
        throw failureIn(session, error, { tool, timeoutMs, signal, isLate: timeout.isOver() });
      } finally {
        timeout.end();
      }
    },
    async follow(task, { outputSchema, ...following }) {
      followers.set(task.taskId, following.onProgress);
      try {
        return await read(await followTask(wire, task, following), outputSchema);
      } catch (error) {
        if (error instanceof AppError) throw error;
        if (error instanceof MalformedResult) throw malformed(serverId, error);
        // One of its questions got no answer: it would wait for ever.
        void cancelTask(wire, task.taskId);
        throw taskEnded(serverId, 'cancelled', wordsOf(error));
      } finally {
        followers.delete(task.taskId);
      }
    },
    cancelTask: (taskId) => cancelTask(wire, taskId),
  };
}

function taskWire(session: Session): TaskWire {
  const { serverId, client, era, requests } = session;
  return {
    serverId,
    era,
    async request(method, params, { timeoutMs, signal = new AbortController().signal }) {
      try {
        return await client.request({ method, params: { ...params, ...session.meta() } }, z.unknown(), {
          timeout: timeoutMs,
          signal,
        });
      } catch (error) {
        if (error instanceof ProtocolError && error.code === ProtocolErrorCode.InvalidParams)
          throw taskEnded(serverId, 'unknown', wordsOf(error));
        throw failureIn(session, error, { tool: method, timeoutMs, signal, isLate: false });
      }
    },
    answer: (method, params, signal) => answerEmbedded(method, params, requests, signal),
  };
}
