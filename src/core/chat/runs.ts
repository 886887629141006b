import type { RunPicture } from '../../contract/chat';
import { createPicture, type Picture } from '../foundation';
import { busy } from './failures';

/** Who writes where: live runs, each note's last finished one, and calls that can be stopped. */
export interface Runs {
  readonly list: Picture<RunPicture[]>;
  /** One run a note at a time: throws `chat.busy`. */
  claim(path: string, runId: string, stop: () => void): void;
  /** Shows a run; one that has finished is live no more. */
  show(run: RunPicture): void;
  release(runId: string): void;
  isLive(path: string): boolean;
  stop(runId: string): void;
  stopAll(): void;
  stoppable(callId: string, stop: () => void): () => void;
  stopCall(callId: string): void;
}

export function createRuns(): Runs {
  const list = createPicture<RunPicture[]>([]);
  const live = new Map<string, { readonly path: string; readonly stop: () => void }>();
  const calls = new Map<string, () => void>();

  return {
    list,
    claim(path, runId, stop) {
      for (const [other, run] of live) if (run.path === path) throw busy(path, other);
      live.set(runId, { path, stop });
    },
    show(run) {
      list.update((runs) => [
        ...runs.filter(
          (other) => other.runId !== run.runId && (other.path !== run.path || other.finishedAt === null),
        ),
        run,
      ]);
    },
    release: (runId) => void live.delete(runId),
    isLive: (path) => [...live.values()].some((run) => run.path === path),
    stop: (runId) => live.get(runId)?.stop(),
    stopAll() {
      for (const run of live.values()) run.stop();
      for (const stop of calls.values()) stop();
    },
    stoppable(callId, stop) {
      calls.set(callId, stop);
      return () => void calls.delete(callId);
    },
    stopCall: (callId) => calls.get(callId)?.(),
  };
}
