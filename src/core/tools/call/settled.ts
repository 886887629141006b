import { AppError, isAppError } from '../../../contract/errors';
import type { CallOutcome } from '../../../contract/tools';
import { type Clock, cancelled, childSignal, isLeaving, type Log } from '../../foundation';
import { leftText, statusOf } from '../request/failures';
import type { CallStep, ToolCallRequest } from '../request/request';
import { type Call, type IncomingCall, outcomeOf, type Progress } from './ongoing-call';

export interface Executed extends Pick<Progress, 'tool' | 'arguments' | 'approval'> {
  readonly outcome: CallOutcome;
  /** Why the person would not have it, in their words. */
  readonly refusal?: string;
}

export type Execute = (
  request: ToolCallRequest,
  signal: AbortSignal,
  onStep: (step: CallStep) => void,
) => Promise<Executed>;

/** Made once: a new error with its stack would be a tenth of a call's time. */
const over = new Error('The call is over.');

/** What goes wrong on a call's way is its outcome; what the call leaves behind is ended, whichever way it went. */
export function settled(
  inner: Call<IncomingCall>,
  { clock, log }: { clock: Pick<Clock, 'now'>; log: Pick<Log, 'error'> },
): Execute {
  const executed = ({ progress }: IncomingCall, outcome: CallOutcome): Executed => {
    const { tool, arguments: args, approval } = progress;
    return { outcome, tool, arguments: args, approval };
  };

  function failed(call: IncomingCall, error: unknown, signal: AbortSignal): Executed {
    const text = (status: CallOutcome['status'], words: string, more: Partial<CallOutcome> = {}) =>
      executed(
        call,
        outcomeOf(call, clock.now(), { status, parts: [{ kind: 'text', text: words }], ...more }),
      );
    if (call.progress.isTask && isLeaving(signal)) return text('interrupted', leftText);
    if (!(error instanceof AppError)) log.error('tool call failed', { tool: call.request.tool, error });
    const failure = signal.aborted ? cancelled() : error;
    const { status, message } = statusOf(failure);
    const isUnfit = isAppError(failure, 'tool.invalid-arguments');
    const outcome = text(status, message, isUnfit ? { badArguments: true } : {});
    if (!isAppError(failure, 'tool.denied')) return outcome;
    const { by, reason } = failure.details;
    return { ...outcome, approval: by, ...(by === 'person' && { refusal: reason }) };
  }

  return async (request, signal, onStep) => {
    const call: IncomingCall = {
      request,
      onStep,
      progress: {
        at: clock.now(),
        tool: null,
        arguments: {},
        approval: 'none',
        sentAt: null,
        isTask: false,
      },
    };
    const life = childSignal(signal);
    try {
      return executed(call, await inner(call, life.signal));
    } catch (error) {
      return failed(call, error, signal);
    } finally {
      life.release();
      life.abort(over);
    }
  };
}
