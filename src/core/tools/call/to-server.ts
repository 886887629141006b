import type { CallOutcome } from '../../../contract/tools';
import type { Clock } from '../../foundation';
import type { SettingsStore } from '../../settings';
import { type LeftTask, leftTask } from '../tasks/tasks';
import type { createServerCall } from './call-server';
import { type Call, outcomeOf } from './ongoing-call';
import { resultParts, textBytes } from './results';

/** The end of a call's way: its server answers, or goes on with it as a task. */
export const toServer =
  ({
    callServer,
    settings,
    clock,
    onTask,
  }: {
    callServer: ReturnType<typeof createServerCall>;
    settings: SettingsStore;
    clock: Pick<Clock, 'now'>;
    /** The server goes on with it by itself; kept when it returns. */
    onTask(task: LeftTask): Promise<void>;
  }): Call =>
  async (call, signal) => {
    const { request, tool, arguments: args, onStep, progress } = call;
    onStep({ kind: 'running', arguments: args });
    progress.sentAt = clock.now();
    const facts = { tool, arguments: args, approval: progress.approval };
    const result = await callServer(tool, args, signal, {
      onProgress: (message) => onStep({ kind: 'progress', ...message }),
      async onTask(task) {
        await onTask(leftTask(request, facts, task));
        progress.isTask = true;
        onStep({ kind: 'task' });
      },
    });
    const parts = await resultParts(result);
    return outcomeOf(call, clock.now(), {
      status: result.isError ? 'error' : 'ok',
      parts,
      truncated: textBytes(parts) > settings.current.get().tools.resultLimit,
      ...(tool.viewUri !== undefined &&
        result.meta && { meta: result.meta as NonNullable<CallOutcome['meta']> }),
    });
  };
