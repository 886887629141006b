import { isAppError } from '../../../contract/errors';
import type { Call, IncomingCall } from './ongoing-call';

/** Where its server has come up with another tool since this one was agreed to, the call goes the way of `anew` instead. */
export const renewed =
  (inner: Call, anew: Call<IncomingCall>): Call =>
  async (call, signal) => {
    try {
      return await inner(call, signal);
    } catch (error) {
      if (!isAppError(error, 'tool.changed')) throw error;
    }
    const request = { ...call.request, arguments: call.arguments };
    return anew({ ...call, request, seen: call.tool }, signal);
  };
