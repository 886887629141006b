import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client';
import { createEventReader } from '../fence/events';
import type { Hiding } from '../fence/hiding';
import type { Intake } from '../fence/intake';
import { longestMessage } from '../fence/limits';
import { ProgramError } from '../fence/program-error';
import { BrokenMessage, readMessages } from '../fence/read-message';
import { inSlices } from '../fence/slices';
import { isEventStream, mediaType, withBody } from './bounded-fetch';

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * What is no message, or too much of one, is told and never reaches the SDK, nor the memory. `answersInPlace`: the answer to
 * a request comes in the answer to its POST.
 */
export function checkAnswers(fetch: Fetch, checking: Checking): Fetch {
  const { answersInPlace, onBroken } = checking;
  return async (url, init) => {
    const response = await fetch(url, init);
    const asked = answersInPlace ? requestIn(init) : null;
    if (isEventStream(response) && response.body)
      return withBody(response, checkedEvents(response.body, asked, checking));
    if (!response.ok && response.body) return withBody(response, beginningOf(response.body, checking.hiding));
    if (asked === null) return response;
    if (response.status === 202)
      onBroken(new BrokenMessage('It took a request and answered nothing (HTTP 202).', asked));
    if (mediaType(response) === 'application/json') answerWithMessages(response, asked, checking);
    return response;
  };
}

/** A refusal says why in a few words. */
const longestRefusal = 64 * 1024;

interface Checking {
  readonly intake: Intake;
  readonly hiding: Hiding;
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
function answerWithMessages(response: Response, asked: RequestId, { intake, onBroken }: Checking): void {
  const value = async () => {
    const bytes = await wholeOf(response, intake).catch((error: unknown) => {
      if (error instanceof ProgramError) onBroken(new BrokenMessage(error.message, asked));
      throw error;
    });
    const messages: JSONRPCMessage[] = [];
    const all = readMessages(bytes);
    for (const read of all) {
      if (read.kind === 'message') intake.message(read.message, bytes.length / all.length);
      else intake.take(bytes.length / all.length);
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

/** The whole text of an answer. */
async function wholeOf(response: Response, intake: Intake): Promise<Buffer> {
  const parts: Buffer[] = [];
  let held = 0;
  try {
    for await (const slice of inSlices(chunksOf(response.body?.getReader()))) {
      held += slice.length;
      intake.hold(slice.length);
      parts.push(slice);
    }
    return Buffer.concat(parts);
  } finally {
    intake.hold(-held);
  }
}

async function* chunksOf(reader?: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (;;) {
    const read = await reader?.read();
    if (!read || read.done) return;
    yield read.value;
  }
}

/** As much of a body as anybody reads, once it is there. */
function beginningOf(body: ReadableStream<Uint8Array>, hiding: Hiding): ReadableStream<Uint8Array> {
  const kept: Uint8Array[] = [];
  let left = longestRefusal;
  const text = () => Buffer.from(hiding.text(Buffer.concat(kept).toString('utf8')));
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        kept.push(chunk.subarray(0, left));
        left -= chunk.length;
        if (left > 0) return;
        controller.enqueue(text());
        controller.terminate();
      },
      flush: (controller) => controller.enqueue(text()),
    }),
  );
}

function checkedEvents(
  body: ReadableStream<Uint8Array>,
  asked: RequestId | null,
  { intake, onBroken, onStreamEnd = () => undefined }: Checking,
): ReadableStream<Uint8Array> {
  const events = createEventReader({
    limit: longestMessage,
    intake,
    onBroken: (broken) => onBroken(asked === null ? broken : answeringOf(broken, asked)),
  });
  const reader = body.getReader();
  const slices = inSlices(chunksOf(reader));
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        for (;;) {
          const { done, value } = await slices.next();
          intake.check();
          if (done) {
            events.end();
            controller.close();
            return onStreamEnd();
          }
          const readable = events.add(value);
          if (readable.length > 0) return controller.enqueue(readable);
        }
      } catch (error) {
        events.end();
        // A stream of its own costs one answer; the one for everything else cannot be taken up again.
        if (error instanceof ProgramError && asked === null) intake.fail(error);
        else if (error instanceof ProgramError) onBroken(new BrokenMessage(error.message, asked));
        controller.error(error);
        void reader.cancel(error).catch(() => undefined);
        onStreamEnd();
      }
    },
    cancel(reason) {
      events.end();
      return reader.cancel(reason);
    },
  });
}
