import type { CallOutcome } from '../../../contract/tools';

/** An outcome that no server gave: nothing was called, and `text` says why or answers instead. `at`: ms since 1970. */
export const ownOutcome = (
  callId: string,
  status: CallOutcome['status'],
  text: string,
  at: number,
): CallOutcome => ({
  callId,
  status,
  parts: [{ kind: 'text', text }],
  ms: 0,
  at,
  cached: false,
  truncated: false,
  definition: null,
});
