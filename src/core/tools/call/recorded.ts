import type { CatalogTool } from '../../mcp';
import type { RunTool, ToolCallRequest } from '../request/request';
import type { TaskStore } from '../tasks/tasks';
import type { Made, Recorder } from './recorder';
import type { Execute } from './settled';

/** Every call that ends while the app is there is recorded, and its task forgotten; one that is left keeps its task. */
export function recorded(
  execute: Execute,
  parts: {
    recorder: Pick<Recorder, 'record'>;
    tasks: Pick<TaskStore, 'leave' | 'forget'>;
    serverName(serverId: string): string | undefined;
    /** Fires when the app closes. */
    closing: AbortSignal;
  },
): RunTool {
  const { recorder, tasks, closing } = parts;

  const callOf = (request: ToolCallRequest, tool: CatalogTool | null): Made => {
    const serverId = request.serverId || '?';
    return {
      ...request,
      serverId: tool?.serverId ?? serverId,
      serverName: tool?.serverName ?? parts.serverName(request.serverId) ?? serverId,
    };
  };

  return async (request, signal, onStep) => {
    const result = await execute(request, AbortSignal.any([signal, closing]), onStep);
    if (result.outcome.status === 'interrupted') {
      tasks.leave(request.callId);
      return result.outcome;
    }
    if (!closing.aborted) recorder.record(callOf(request, result.tool), result);
    if (!request.keepsTask) tasks.forget(request.callId);
    return result.outcome;
  };
}
