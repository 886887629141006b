import { AppError, isAppError } from '../../../contract/errors';
import type { CallOutcome } from '../../../contract/tools';
import { type Clock, cancelled, isLeaving, type Log } from '../../foundation';
import type { Mcp } from '../../mcp';
import type { SettingsStore } from '../../settings';
import { leftText, statusOf } from '../request/failures';
import type { CallStep } from '../request/request';
import type { LeftTask } from '../tasks/tasks';
import { resultParts, textBytes } from './results';

/** The rest of a call that was left at its server. Policy, approval and limits were passed when it was made. */
export async function resumeTask(
  leftTask: LeftTask,
  signal: AbortSignal,
  onStep: (step: CallStep) => void,
  parts: { mcp: Pick<Mcp, 'resume'>; settings: SettingsStore; clock: Clock; log: Log },
): Promise<CallOutcome> {
  const { clock, log } = parts;
  const { callId, definition, task } = leftTask;
  const outcome = (facts: Pick<CallOutcome, 'status' | 'parts'> & Partial<CallOutcome>): CallOutcome => ({
    callId,
    ms: Math.max(0, clock.now() - task.createdAt),
    at: task.createdAt,
    cached: false,
    truncated: false,
    definition,
    ...facts,
  });
  log.info('task taken up', { serverId: leftTask.serverId, tool: leftTask.tool });
  try {
    const result = await parts.mcp.resume(leftTask.serverId, leftTask.tool, task, {
      signal,
      onProgress: (progress) => onStep({ kind: 'progress', ...progress }),
    });
    const shaped = await resultParts(result);
    return outcome({
      status: result.isError ? 'error' : 'ok',
      parts: shaped,
      truncated: textBytes(shaped) > parts.settings.current.get().tools.resultLimit,
    });
  } catch (error) {
    if (isLeaving(signal))
      return outcome({ status: 'interrupted', parts: [{ kind: 'text', text: leftText }] });
    const { status, message } = statusOf(signal.aborted ? cancelled() : error);
    if (!(error instanceof AppError)) log.error('task lost', { tool: leftTask.tool, error });
    const text = isAppError(error, 'mcp.unknown-server')
      ? `The server “${leftTask.serverName}” is no longer set up. Its task cannot be asked for.`
      : message;
    return outcome({ status, parts: [{ kind: 'text', text }] });
  }
}
