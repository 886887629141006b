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
  /** Whether `[DONE]` was among the last bytes: the one end mark that an SDK swallows. */
  sawDone(): boolean;
  /** Ends whatever is still open. */
  close(): void;
}

const tailLength = 64;
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

  function watched(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    const decoder = new TextDecoder();
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { done, value } = await awaited(reader.read());
        if (done) return controller.close();
        received += value.byteLength;
        tail = (tail + decoder.decode(value.subarray(-tailLength))).slice(-tailLength);
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
    sawDone: () => tail.includes('[DONE]'),
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
