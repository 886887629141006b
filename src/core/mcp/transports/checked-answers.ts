import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client';
import type { Cause } from '../../../contract/server-faults';
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
    const id = answersInPlace ? requestIn(init) : null;
    if (isEventStream(response) && response.body)
      return withBody(response, checkedEvents(response.body, id, checking));
    if (!response.ok && response.body) return withBody(response, beginningOf(response.body, checking.hiding));
    if (id === null) return response;
    if (response.status === 202) onBroken(new BrokenMessage({ code: 'nothing-answered' }, id));
    if (mediaType(response) === 'application/json') answerWithMessages(response, id, checking);
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
  const id = /"id":(\d+|"[^"\\]*")\}$/.exec(init.body.slice(-256))?.[1];
  if (id === undefined || !/"method":/.test(init.body.slice(0, 256))) return null;
  return JSON.parse(id) as RequestId;
}

/** What was read once is handed on as it is. */
function answerWithMessages(response: Response, id: RequestId, { intake, onBroken }: Checking): void {
  const value = async () => {
    const bytes = await wholeOf(response, intake).catch((error: unknown) => {
      if (error instanceof ProgramError) onBroken(new BrokenMessage(causeOf(error), id));
      throw error;
    });
    const messages: JSONRPCMessage[] = [];
    const all = readMessages(bytes);
    for (const result of all) {
      if (result.kind === 'message') intake.message(result.message, bytes.length / all.length);
      else intake.take(bytes.length / all.length);
      if (result.kind === 'junk') onBroken(new BrokenMessage({ code: 'no-message' }, id));
      else if (result.kind === 'broken')
        onBroken(new BrokenMessage(result.broken.fault, result.broken.answers ?? id));
      // An error without an id can only be about what was asked here.
      else if ('error' in result.message && result.message.id === undefined)
        messages.push({ ...result.message, id });
      else messages.push(result.message);
    }
    if (!messages.some((message) => answers(message, id)))
      onBroken(new BrokenMessage({ code: 'other-answer' }, id));
    return messages;
  };
  Object.defineProperty(response, 'json', { value });
}

const answers = (message: JSONRPCMessage, id: RequestId) =>
  !('method' in message) && String(message.id) === String(id);

/** In a stream of its own a broken answer can be to nothing else. */
const answeringOf = (broken: BrokenMessage, id: RequestId) =>
  broken.isAnswer && broken.answers === null ? new BrokenMessage(broken.fault, id) : broken;

/** Of many messages that could not be read, the last one. */
const causeOf = ({ fault }: ProgramError): Cause => (fault.code === 'broken' ? fault.last : fault);

/** The whole text of an answer. */
async function wholeOf(response: Response, intake: Intake): Promise<Buffer> {
  const parts: Buffer[] = [];
  let heldBytes = 0;
  try {
    for await (const slice of inSlices(chunksOf(response.body?.getReader()))) {
      heldBytes += slice.length;
      intake.hold(slice.length);
      parts.push(slice);
    }
    return Buffer.concat(parts);
  } finally {
    intake.hold(-heldBytes);
  }
}

async function* chunksOf(reader?: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (;;) {
    const result = await reader?.read();
    if (!result || result.done) return;
    yield result.value;
  }
}

/** As much of a body as anybody reads, once it is there. */
function beginningOf(body: ReadableStream<Uint8Array>, hiding: Hiding): ReadableStream<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let remaining = longestRefusal;
  const text = () => Buffer.from(hiding.text(Buffer.concat(chunks).toString('utf8')));
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        chunks.push(chunk.subarray(0, remaining));
        remaining -= chunk.length;
        if (remaining > 0) return;
        controller.enqueue(text());
        controller.terminate();
      },
      flush: (controller) => controller.enqueue(text()),
    }),
  );
}

function checkedEvents(
  body: ReadableStream<Uint8Array>,
  requestId: RequestId | null,
  { intake, onBroken, onStreamEnd = () => undefined }: Checking,
): ReadableStream<Uint8Array> {
  const events = createEventReader({
    limit: longestMessage,
    intake,
    onBroken: (broken) => onBroken(requestId === null ? broken : answeringOf(broken, requestId)),
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
        if (error instanceof ProgramError && requestId === null) intake.fail(error);
        else if (error instanceof ProgramError) onBroken(new BrokenMessage(causeOf(error), requestId));
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
