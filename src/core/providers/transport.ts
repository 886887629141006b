import type { Clock } from '../foundation';

export type Fetch = typeof globalThis.fetch;

/** A response that was not a success, or a web page in the place of one, read to its end. */
export interface Refused {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** One request's way to the provider. It watches the bytes, which no SDK lets its caller see. */
export interface Transport {
  readonly fetch: Fetch;
  readonly signal: AbortSignal;
  /** Bytes of a successful response so far. */
  received(): number;
  refused(): Refused | null;
  /** Whether nothing came for longer than allowed. */
  idledOut(): boolean;
  /** Whether a line `data: [DONE]` came: the one end mark that an SDK swallows. */
  sawDone(): boolean;
  /** Ends whatever is still open. */
  close(): void;
}

/** Within a message its line break would be escaped, so a model that writes this is not meant. */
const endMarks = ['\ndata: [DONE]', '\ndata:[DONE]'];
const longestMark = 16;
const largestRefusal = 64 * 1024;

export function createTransport(parts: {
  fetch: Fetch;
  clock: Clock;
  signal: AbortSignal;
  /** Milliseconds without a byte. */
  idleTimeout: number;
}): Transport {
  const ending = new AbortController();
  const signal = AbortSignal.any([parts.signal, ending.signal]);
  let received = 0;
  let refused: Refused | null = null;
  let idledOut = false;
  let tail = '';
  let done = false;

  /** The time counts only while something is awaited, so that a slow reader is not taken for a silent provider. */
  async function awaited<T>(work: Promise<T>): Promise<T> {
    const stop = parts.clock.after(parts.idleTimeout, () => {
      idledOut = true;
      ending.abort(new Error('Nothing came for too long.'));
    });
    try {
      return await work;
    } finally {
      stop();
    }
  }

  /** A mark may lie across two pieces. */
  function look(value: Uint8Array): void {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    const seam = tail + bytes.toString('latin1', 0, longestMark);
    done ||= endMarks.some((mark) => seam.includes(mark) || bytes.includes(mark));
    tail = (tail + bytes.toString('latin1', Math.max(0, bytes.length - longestMark))).slice(-longestMark);
  }

  function watched(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { done: ended, value } = await awaited(reader.read());
        if (ended) return controller.close();
        received += value.byteLength;
        look(value);
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    });
  }

  return {
    signal,
    received: () => received,
    refused: () => refused,
    idledOut: () => idledOut,
    sawDone: () => done,
    close: () => ending.abort(),
    fetch: async (input, init) => {
      const signals = init?.signal ? AbortSignal.any([signal, init.signal]) : signal;
      const response = await awaited(parts.fetch(input, { ...init, signal: signals }));
      // No provider answers with a page: whatever stands in between does.
      if (!response.ok || /^text\/html\b/i.test(response.headers.get('content-type') ?? '')) {
        const body = await awaited(response.text()).catch(() => '');
        refused = { status: response.status, headers: response.headers, body: body.slice(0, largestRefusal) };
        throw new Error(`The provider answered ${response.status}.`);
      }
      if (!response.body) return response;
      return new Response(watched(response.body), { status: response.status, headers: response.headers });
    },
  };
}
