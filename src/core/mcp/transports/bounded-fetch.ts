import { networkFetch } from '../../network';
import { longestMessage, tooLong } from './limits';

/**
 * `fetch` whose answers end with an error once a message in them is over the limit: the whole of it, or in a stream of
 * events, which may go on for ever, a single line.
 */
export async function boundedFetch(
  url: string | URL,
  init?: RequestInit,
  most = longestMessage,
): Promise<Response> {
  const response = await networkFetch(url, init);
  if (response.body === null || response.status < 200) return response;
  const isStream = response.headers.get('content-type')?.includes('text/event-stream') ?? false;
  let held = 0;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const lineEnd = isStream ? chunk.lastIndexOf(10) : -1;
      held = lineEnd === -1 ? held + chunk.length : chunk.length - lineEnd - 1;
      if (held > most) controller.error(tooLong());
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  const bounded = new Response(response.body.pipeThrough(counting), { status, statusText, headers });
  Object.defineProperty(bounded, 'url', { value: response.url });
  Object.defineProperty(bounded, 'redirected', { value: response.redirected });
  return bounded;
}
