import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client';
import { createEventReader } from '../fence/events';
import { BrokenMessage, readMessages } from '../fence/read-message';
import { isEventStream, mediaType, withBody } from './bounded-fetch';
import { longestMessage } from './limits';
import { ProgramError } from './program-error';

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * What is no message, or too much of one, is told and never reaches the SDK, nor the memory. `answersInPlace`: the answer to
 * a request comes in the answer to its POST.
 */
export function checkAnswers(fetch: Fetch, { answersInPlace, onBroken, onStreamEnd }: Checking): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    const asked = answersInPlace ? requestIn(init) : null;
    if (isEventStream(response) && response.body)
      return withBody(response, checkedEvents(response.body, asked, { onBroken, onStreamEnd }));
    if (asked === null || !response.ok) return response;
    if (response.status === 202)
      onBroken(new BrokenMessage('It took a request and answered nothing (HTTP 202).', asked));
    if (mediaType(response) === 'application/json') answerWithMessages(response, asked, onBroken);
    return response;
  };
}

/** Bytes of a stream that are read in one turn of the event loop. */
const atOnce = 16 * 1024;

interface Checking {
  readonly answersInPlace: boolean;
  onBroken(broken: BrokenMessage): void;
  /** However it ended. */
  onStreamEnd?: (() => void) | undefined;
}

/** The request that goes out; null: it is something else. The SDK writes its id last. */
function requestIn(init: RequestInit | undefined): RequestId | null {
  if (init?.method !== 'POST' || typeof init.body !== 'string') return null;
  const found = /"id":(\d+|"[^"\\]*")\}$/.exec(init.body.slice(-256))?.[1];
  if (found === undefined || !/"method":/.test(init.body.slice(0, 256))) return null;
  return JSON.parse(found) as RequestId;
}

/** What was read once is handed on as it is. */
function answerWithMessages(
  response: Response,
  asked: RequestId,
  onBroken: (broken: BrokenMessage) => void,
): void {
  const value = async () => {
    const bytes = await response.arrayBuffer().catch((error: unknown) => {
      if (error instanceof ProgramError) onBroken(new BrokenMessage(error.message, asked));
      throw error;
    });
    const messages: JSONRPCMessage[] = [];
    for (const read of readMessages(new Uint8Array(bytes))) {
      if (read.kind === 'junk')
        onBroken(new BrokenMessage('Its answer is no message of the protocol.', asked));
      else if (read.kind === 'broken')
        onBroken(new BrokenMessage(read.broken.message, read.broken.answers ?? asked));
      // An error without an id can only be about what was asked here.
      else if ('error' in read.message && read.message.id === undefined)
        messages.push({ ...read.message, id: asked });
      else messages.push(read.message);
    }
    if (!messages.some((message) => answers(message, asked)))
      onBroken(new BrokenMessage('It answered something else than what was asked.', asked));
    return messages;
  };
  Object.defineProperty(response, 'json', { value });
}

const answers = (message: JSONRPCMessage, asked: RequestId) =>
  !('method' in message) && String(message.id) === String(asked);

/** In a stream of its own a broken answer can be to nothing else. */
const answeringOf = (broken: BrokenMessage, asked: RequestId) =>
  broken.isAnswer && broken.answers === null ? new BrokenMessage(broken.message, asked) : broken;

function checkedEvents(
  body: ReadableStream<Uint8Array>,
  asked: RequestId | null,
  { onBroken, onStreamEnd = () => undefined }: Pick<Checking, 'onBroken' | 'onStreamEnd'>,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const events = createEventReader({
    limit: longestMessage,
    onBroken: (broken) => onBroken(asked === null ? broken : answeringOf(broken, asked)),
  });
  let rest: Uint8Array = new Uint8Array();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        for (;;) {
          if (rest.length === 0) {
            const { done, value } = await reader.read();
            if (done) {
              controller.close();
              return onStreamEnd();
            }
            rest = value;
          }
          // A few at a time: a stream that never pauses leaves the others their turns.
          const readable = events.add(rest.subarray(0, atOnce));
          rest = rest.subarray(atOnce);
          if (rest.length > 0) await new Promise((resolve) => setImmediate(resolve));
          if (readable.length > 0) return controller.enqueue(readable);
        }
      } catch (error) {
        if (error instanceof ProgramError) onBroken(new BrokenMessage(error.message, asked));
        controller.error(error);
        void reader.cancel(error).catch(() => undefined);
        onStreamEnd();
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
