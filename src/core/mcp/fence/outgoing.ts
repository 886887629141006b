import type {
  JSONRPCMessage,
  JSONRPCRequest,
  RequestId,
  TransportSendOptions,
} from '@modelcontextprotocol/client';
import { StreamEnded } from './failed-request';
import { type FenceState, failRequest, rejectHidden } from './fence-state';

/** How long news may take to go out over a stream of its own. */
const newsMs = 5_000;

/** Everything that goes out to the server: a request is waited for as long as its answer may come. */
export function fenceOutgoing(state: FenceState): void {
  const { transport } = state;
  transport.send = (message, options) =>
    'method' in message && 'id' in message
      ? sendRequest(state, message, options)
      : sendNews(state, message, options);
}

async function sendRequest(
  state: FenceState,
  request: JSONRPCRequest,
  options: TransportSendOptions | undefined,
): Promise<void> {
  const { transport, inner, requests } = state;
  const { id } = request;
  const stream = requests.add(request);
  const ownSignal = options?.requestSignal;
  ownSignal?.addEventListener('abort', () => requests.delete(id), { once: true });
  try {
    await inner.send(request, {
      ...options,
      ...(transport.hasPerRequestStream === true && {
        requestSignal: ownSignal ? AbortSignal.any([ownSignal, stream]) : stream,
      }),
      onRequestStreamEnd() {
        if (options?.onRequestStreamEnd) options.onRequestStreamEnd();
        else failRequest(state, id, (state.hasEnded ? state.trouble : null) ?? new StreamEnded());
        requests.delete(id);
      },
    });
  } catch (error) {
    requests.delete(id);
    rejectHidden(state, error);
  }
}

/** A notification, or an answer of ours. */
async function sendNews(
  state: FenceState,
  message: JSONRPCMessage,
  options: TransportSendOptions | undefined,
): Promise<void> {
  const { transport, inner, requests } = state;
  const signal =
    options?.requestSignal ??
    (transport.hasPerRequestStream === true ? AbortSignal.timeout(newsMs) : undefined);
  const sending = inner
    .send(message, { ...options, ...(signal && { requestSignal: signal }) })
    .catch((error: unknown) => rejectHidden(state, error));
  // In the older era a cancelled request would leave its stream open.
  if ('method' in message && message.method === 'notifications/cancelled')
    requests.release(message.params?.requestId as RequestId);
  return sending;
}
