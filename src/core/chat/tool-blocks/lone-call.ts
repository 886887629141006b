import type { RunCall } from '../../../contract/chat';
import type { Clock } from '../../foundation';
import type { CallStep } from '../../tools';
import type { Runs } from '../note/runs';
import { progressOf } from './calls';

/** A call that no answer made, shown in its note and stopped from there as if one had. */
export interface LoneCall {
  /** Fires with the reason it is stopped for. */
  readonly signal: AbortSignal;
  /** What happens to it on its way. */
  onStep(step: CallStep): void;
  end(): void;
}

export function showLoneCall(
  { runs, clock }: { readonly runs: Runs; readonly clock: Clock },
  call: {
    readonly callId: string;
    /** Null: it belongs to no note. */
    readonly path: string | null;
    readonly server: string;
    readonly tool: string;
    readonly startedAt: number;
  },
): LoneCall {
  const { callId, path, server, tool, startedAt } = call;
  const stop = new AbortController();
  const forget = runs.stoppable(callId, (reason) => stop.abort(reason));
  runs.join(callId, (reason) => stop.abort(reason));
  let state: RunCall = {
    callId,
    server,
    tool,
    state: 'running',
    startedAt,
    ms: null,
    progress: null,
  };

  function show(change: Partial<RunCall>): void {
    state = { ...state, ...change };
    if (path === null) return;
    runs.show({ kind: 'call', runId: callId, path, startedAt, finishedAt: null, call: state });
  }

  show({});
  return {
    signal: stop.signal,
    onStep(step) {
      switch (step.kind) {
        case 'asked':
          return show({ state: 'asked' });
        case 'running':
          // The wait for the person's word is not the call's.
          return show({ state: 'running', startedAt: clock.now() });
        case 'progress':
          return show({ progress: progressOf(step) });
        case 'task':
          return;
      }
    },
    end() {
      forget();
      runs.release(callId);
      runs.hide(callId);
    },
  };
}
