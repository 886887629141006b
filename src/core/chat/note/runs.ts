import type { Run } from '../../../contract/chat';
import { createObservable, type Observable } from '../../foundation';
import type { NoteSession } from '../../notes';
import { busy } from './failures';

/** Who writes where: live runs, each note's last finished one, and calls that can be stopped. */
export interface Runs {
  readonly list: Observable<Run[]>;
  /** One run a note at a time: throws `chat.busy`. */
  claim(session: NoteSession, runId: string, stop: Stop): void;
  /** What goes on in a note without holding it: it is stopped like a run. */
  join(runId: string, stop: Stop): void;
  /** Shows a run; one that has finished is live no more. */
  show(run: Run): void;
  release(runId: string): void;
  hide(runId: string): void;
  isLive(session: NoteSession): boolean;
  stop(runId: string): void;
  /** With the reason of the signals that fire. */
  stopAll(reason?: unknown): void;
  stoppable(callId: string, stop: Stop): () => void;
  stopCall(callId: string): void;
}

type Stop = (reason?: unknown) => void;

export function createRuns(): Runs {
  const list = createObservable<Run[]>([]);
  const live = new Map<string, { readonly session: NoteSession | null; readonly stop: Stop }>();
  const calls = new Map<string, Stop>();

  return {
    list,
    claim(session, runId, stop) {
      for (const [other, run] of live) if (run.session === session) throw busy(session.path, other);
      live.set(runId, { session, stop });
    },
    join: (runId, stop) => void live.set(runId, { session: null, stop }),
    show(run) {
      list.update((runs) => [
        ...runs.filter(
          (other) => other.runId !== run.runId && (other.path !== run.path || other.finishedAt === null),
        ),
        run,
      ]);
    },
    release: (runId) => void live.delete(runId),
    hide: (runId) => list.update((runs) => runs.filter((run) => run.runId !== runId)),
    isLive: (session) => [...live.values()].some((run) => run.session === session),
    stop: (runId) => live.get(runId)?.stop(),
    stopAll(reason) {
      for (const run of live.values()) run.stop(reason);
      for (const stop of calls.values()) stop(reason);
    },
    stoppable(callId, stop) {
      calls.set(callId, stop);
      return () => void calls.delete(callId);
    },
    stopCall: (callId) => calls.get(callId)?.(),
  };
}
