import type { JSONRPCErrorResponse, RequestId } from '@modelcontextprotocol/client';
import { faultWords } from '../../../contract/server-faults';

/** An answer will not come any more, though the server may have done what was asked. */
export class StreamEnded extends Error {
  override readonly name = 'StreamEnded';
  constructor() {
    super(faultWords({ code: 'stream-ended' }));
  }
}

/** No server can write this key. */
const cause = Symbol('cause');

/** The answer that a request gets from the fence, where none of the server will come. */
export const failedRequest = (id: RequestId, why: Error): JSONRPCErrorResponse => ({
  jsonrpc: '2.0',
  id,
  error: { code: -32_000, message: why.message, data: { [cause]: why } },
});

/** Why the fence failed a request; null where the server itself answered. */
export function fenceCause(error: unknown): Error | null {
  const data: unknown = error instanceof Error && 'data' in error ? error.data : null;
  return typeof data === 'object' && data !== null && cause in data ? (data[cause] as Error) : null;
}
