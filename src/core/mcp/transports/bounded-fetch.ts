import { networkFetch } from '../../network';
import { longestMessage, tooLong } from '../fence/limits';

/** `fetch` whose answers end with an error once they are too long; a stream of events may go on, who reads it counts. */
export async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await networkFetch(url, init);
  if (response.body === null || isEventStream(response)) return response;
  return withBody(response, response.body.pipeThrough(endingAfter(longestMessage)));
}

export function endingAfter(most: number): TransformStream<Uint8Array, Uint8Array> {
  let heldBytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      heldBytes += chunk.length;
      if (heldBytes > most) controller.error(tooLong(most));
      else controller.enqueue(chunk);
    },
  });
}

export const isEventStream = (response: Response): boolean =>
  mediaType(response) === 'text/event-stream' && response.status === 200;

export const mediaType = ({ headers }: Response): string =>
  (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

/** The same answer with another body. */
export function withBody(
  response: Response,
  body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>,
): Response {
  const { status, statusText, headers } = response;
  const result = new Response(body, { status, statusText, headers });
  Object.defineProperty(result, 'url', { value: response.url });
  Object.defineProperty(result, 'redirected', { value: response.redirected });
  return result;
}
