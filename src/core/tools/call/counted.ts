import type { Consent } from '../policy/consent';
import { type Call, consentCall } from './ongoing-call';

/** Counts against the limit of the call's note, where the person may be asked whether to go on. */
export const counted =
  (inner: Call, consent: Pick<Consent, 'count'>): Call =>
  async (call, signal) => {
    await consent.count(consentCall(call, signal), call.arguments);
    return inner(call, signal);
  };
