import type { JSONRPCRequest, RequestId } from '@modelcontextprotocol/client';

/** Its answer is the end of a stream of news. */
const listening = 'subscriptions/listen';

/** How long the stream of an answer may stay open behind it. */
const lingerMs = 1_000;

interface Pending {
  /** Lets go of its stream. */
  readonly stream: AbortController;
  readonly method: string;
}

/** The requests that went out over one connection and wait for an answer. */
export interface PendingRequests {
  /** Gives what ends with its stream. */
  add(request: JSONRPCRequest): AbortSignal;
  /** The request that an answer with this id is for; servers that turn a number into a text are understood. */
  idOf(id: RequestId | undefined): RequestId | null;
  has(id: RequestId): boolean;
  /** Whether a request with this id ever went out. */
  wasSent(id: RequestId): boolean;
  /** Those that any answer may be for. */
  answerable(): RequestId[];
  /** False where it waits no more. */
  delete(id: RequestId): boolean;
  /** It waits no more, and its stream, where it has one, ends soon. */
  answered(id: RequestId): void;
  /** Its stream is let go of, too. */
  release(id: RequestId): void;
}

/** `streams`: an answer may come over a stream of its own. */
export function createPendingRequests({ streams }: { streams: boolean }): PendingRequests {
  const pending = new Map<RequestId, Pending>();
  // The SDK counts its requests, and gives names to what it listens to.
  let newestId = -1;
  const names = new Set<RequestId>();
  return {
    add({ id, method }) {
      const stream = new AbortController();
      pending.set(id, { stream, method });
      if (typeof id === 'number') newestId = Math.max(newestId, id);
      else names.add(id);
      return stream.signal;
    },
    idOf(id) {
      if (id === undefined) return null;
      if (pending.has(id)) return id;
      const number = typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : null;
      return number !== null && pending.has(number) ? number : null;
    },
    has: (id) => pending.has(id),
    wasSent: (id) => names.has(id) || (Number(id) >= 0 && Number(id) <= newestId),
    answerable: () => [...pending].filter(([, { method }]) => method !== listening).map(([id]) => id),
    delete: (id) => pending.delete(id),
    answered(id) {
      const stream = pending.get(id)?.stream;
      pending.delete(id);
      if (streams && stream) setTimeout(() => stream.abort(), lingerMs).unref();
    },
    release(id) {
      pending.get(id)?.stream.abort();
      pending.delete(id);
    },
  };
}
