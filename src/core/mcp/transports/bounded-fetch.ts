import { networkFetch } from '../../network';
import { longestMessage, tooLong } from './limits';

/** `fetch` whose answers end with an error once they are longer than that; a stream of events may go on for ever. */
export async function boundedFetch(
  url: string | URL,
  init?: RequestInit,
  most = longestMessage,
  fetch = networkFetch,
): Promise<Response> {
  const response = await fetch(url, init);
  if (response.body === null || response.status < 200 || isEventStream(response)) return response;
  let held = 0;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      held += chunk.length;
      if (held > most) controller.error(tooLong());
      else controller.enqueue(chunk);
    },
  });
  return withBody(response, response.body.pipeThrough(counting));
}

export const isEventStream = (response: Response): boolean =>
  mediaType(response) === 'text/event-stream' && response.status === 200;

export const mediaType = ({ headers }: Response): string =>
  (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

/** The same answer with another body. */
export function withBody(response: Response, body: ReadableStream<Uint8Array>): Response {
  const { status, statusText, headers } = response;
  const changed = new Response(body, { status, statusText, headers });
  Object.defineProperty(changed, 'url', { value: response.url });
  Object.defineProperty(changed, 'redirected', { value: response.redirected });
  return changed;
}
