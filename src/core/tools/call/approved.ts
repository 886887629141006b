import type { Consent } from '../policy/consent';
import { advance, type Call, consentCall } from './ongoing-call';

/** Goes on with what the policy or the person allows: perhaps other arguments, perhaps the tool as it is by then. */
export const approved =
  (inner: Call, consent: Pick<Consent, 'approve'>): Call =>
  async (call, signal) => {
    const {
      tool,
      arguments: args,
      approval,
    } = await consent.approve(consentCall(call, signal), call.arguments, call.seen);
    call.progress.approval = approval;
    return inner(advance(call, { tool, arguments: args }), signal);
  };
