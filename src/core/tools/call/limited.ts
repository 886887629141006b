import type { Limits } from '../policy/limits';
import type { CallStep } from '../request/request';
import type { Call } from './ongoing-call';

/** Waits for a place among the calls that are made at once, and takes it as long as the call itself waits. */
export const limited =
  (inner: Call, limits: Pick<Limits, 'enter'>): Call =>
  async (call, signal) => {
    const leave = await limits.enter(call.tool.serverId, signal);
    const onStep = (step: CallStep) => {
      // It may take days: others must not wait for it.
      if (step.kind === 'task') leave();
      call.onStep(step);
    };
    try {
      return await inner({ ...call, onStep }, signal);
    } finally {
      leave();
    }
  };
