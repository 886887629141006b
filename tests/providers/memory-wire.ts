import type { Clock } from '../../src/core/foundation';

/** What happens to an answer on its way, and after how many bytes of it. */
export type Fault = { readonly kind: 'cut' | 'end' | 'stall'; readonly at: number } | null;

interface Delivery {
  readonly body: Buffer;
  readonly fault: Fault;
  /** Sizes of the pieces, in turns. */
  readonly pieces: () => number;
}

/** A clock that stands still until a test says that the time is over. */
export function createFrozenClock(): Clock & { over(): void } {
  const waiting = new Set<() => void>();
  return {
    now: () => 0,
    after(_ms, work) {
      waiting.add(work);
      return () => waiting.delete(work);
    },
    over() {
      for (const work of [...waiting]) work();
    },
  };
}

/** Time for everything that has come to be read. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** A `fetch` without a network: the answer comes in pieces, ends as a socket would, or falls silent. */
export function createMemoryFetch(next: () => Delivery, onSilent: () => void): typeof fetch {
  return async (_input, init) => {
    const { body, fault, pieces } = next();
    const limit = fault?.at ?? body.length;
    let at = 0;
    const source: UnderlyingDefaultSource<Uint8Array> = {
      start(controller) {
        init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason), { once: true });
      },
      pull(controller) {
        if (at < limit) {
          const size = Math.min(pieces(), limit - at);
          controller.enqueue(new Uint8Array(body.subarray(at, at + size)));
          at += size;
        } else if (fault?.kind === 'cut') controller.error(socketClosed());
        else if (fault?.kind === 'stall') return new Promise(() => void settled().then(onSilent));
        else controller.close();
      },
    };
    // Nothing is made ahead: a piece is asked for when the one before has been taken.
    const stream = new ReadableStream(source, { highWaterMark: 0 });
    return new Response(stream, { status: 200, headers: { 'content-type': 'text/event-stream' } });
  };
}

/** As undici throws it. */
function socketClosed(): Error {
  const cause = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
  return new TypeError('terminated', { cause });
}
