import type {
  JSONRPCErrorResponse,
  JSONRPCMessage,
  MessageExtraInfo,
  RequestId,
  Transport,
} from '@modelcontextprotocol/client';
import { type Cause, faultWords } from '../../../contract/server-faults';
import { within } from '../../foundation';
import type { Hiding } from './hiding';
import { ProgramError } from './program-error';
import { BrokenMessage, type TellingTransport } from './read-message';
import { withShortWords } from './said-words';

/** Broken messages that a connection survives within a minute. */
const most = { strikes: 100, withinMs: 60_000, told: 5 };
const closeMs = 5_000;
/** How long the right answer may still come after one that cannot be told whose it is. */
const graceMs = 500;
/** Its answer is the end of a stream of news. */
const listening = 'subscriptions/listen';

/** An error without an id that is about a request all the same (JSON-RPC 2.0): it could not be parsed, or was none. */
const unreadCodes = new Set([-32_700, -32_600]);

interface Pending {
  /** Lets go of its stream. */
  readonly stream: AbortController;
  readonly method: string;
}

export interface FenceParts {
  readonly hiding: Hiding;
  /** Each message before anybody else; null keeps it to itself. */
  intercept(message: JSONRPCMessage): JSONRPCMessage | null;
  /** What had to be left out; the first ones only. */
  onLeftOut(text: string): void;
}

export interface Fence {
  /** When the server last said something that could be read, by `performance.now()`. */
  lastHeard(): number;
}

/**
 * Stands between a transport and the SDK so that nothing a server sends can throw, hang or pile up in the core: every
 * listener is caught, a request whose answer cannot be read or will not come fails at once, only asked-for answers get
 * through, starting and closing end; and nothing that was given to it as a secret comes back. To be called before the transport is connected.
 * One function: whatever comes, goes out or ends decides about the same pending requests.
 */
export function putFence(transport: TellingTransport, { hiding, intercept, onLeftOut }: FenceParts): Fence {
  const inner = {
    start: transport.start.bind(transport),
    send: transport.send.bind(transport),
    close: transport.close.bind(transport),
  };
  const on: Pick<Transport, 'onmessage' | 'onerror' | 'onclose'> = {};
  /** What waits for an answer. */
  const pending = new Map<RequestId, Pending>();
  let heardAt = performance.now();
  let ended = false;
  /** What went wrong last, or for good: a stream that ends then, and a start that is given up, have it as their reason. */
  let trouble: Error | null = null;
  let hasStarted = false;
  /** The newest, `most.strikes` at most. */
  let strikes: number[] = [];
  let reports = 0;
  let lost: { broken: BrokenMessage; suspects: readonly RequestId[]; due: number }[] = [];
  let newestId = -1;
  const names = new Set<RequestId>();
  let closing: Promise<void> | null = null;
  let refuseStart: (error: Error) => void = () => undefined;

  function safely(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      strike({ code: 'not-handled', text: error instanceof Error ? error.message : String(error) });
    }
  }

  function strike(fault: Cause): void {
    if (ended) return;
    if (reports++ < most.told) onLeftOut(faultWords(fault));
    const now = performance.now();
    strikes = [...strikes.filter((at) => at > now - most.withinMs), now];
    if (strikes.length < most.strikes) return;
    end(new ProgramError({ code: 'broken', count: most.strikes, last: fault }));
  }

  function end(error: Error): void {
    if (ended) return;
    ended = true;
    trouble = error;
    intake.end();
    safely(() => on.onerror?.(error));
    void transport.close();
  }

  function fail(id: RequestId, cause: Error): void {
    if (!pending.delete(id)) return;
    safely(() => on.onmessage?.(failedRequest(id, cause)));
  }

  /** An answer to nobody knows which request: where no more of them still wait than answers were lost, it was theirs. */
  function lose(broken: BrokenMessage): void {
    const suspects = [...pending].filter(([, { method }]) => method !== listening).map(([id]) => id);
    if (suspects.length === 0 || lost.length === most.strikes) return;
    lost.push({ broken, suspects, due: performance.now() + graceMs });
    setTimeout(settleLost, graceMs + 5).unref();
  }

  function settleLost(): void {
    const now = performance.now();
    const due = lost.filter((one) => one.due <= now);
    const waiting = new Set(due.flatMap(({ suspects }) => suspects).filter((id) => pending.has(id)));
    const [first] = due;
    if (!first || waiting.size > due.length) return;
    lost = lost.filter((one) => one.due > now);
    for (const id of waiting) fail(id, first.broken);
  }

  /** Servers that turn a number into a text are understood. */
  function pendingId(id: RequestId | undefined): RequestId | null {
    if (id === undefined) return null;
    if (pending.has(id)) return id;
    const number = typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : null;
    return number !== null && pending.has(number) ? number : null;
  }

  /** The SDK counts its requests, and gives names to what it listens to. */
  const wasAsked = (id: RequestId) => names.has(id) || (Number(id) >= 0 && Number(id) <= newestId);

  function receive(sent: JSONRPCMessage, extra?: MessageExtraInfo): void {
    if (ended) return;
    heardAt = performance.now();
    const message = hiding.message(withShortWords(sent));
    let incoming = message;
    if (!('method' in message) && message.id !== undefined) {
      const id = pendingId(message.id);
      if (id === null) {
        // Late or twice; else it was meant for another one.
        if (wasAsked(message.id)) return;
        const unasked = new BrokenMessage({ code: 'unasked' }, null, true);
        lose(unasked);
        strike(unasked.fault);
        return;
      }
      pending.delete(id);
      incoming = { ...message, id };
      settleLost();
    } else if ('error' in message && unreadCodes.has(message.error.code))
      lose(new BrokenMessage({ code: 'unread-request', text: message.error.message }, null, true));
    safely(() => {
      const passed = intercept(incoming);
      if (passed) on.onmessage?.(passed, extra);
    });
  }

  // Whoever sets a listener finds it in its place again, but caught.
  guardListener('onmessage', () => receive);
  guardListener('onerror', () => (thrown: Error) => {
    const error = hiding.error(thrown);
    if (!hasStarted) trouble ??= error;
    safely(() => on.onerror?.(error));
  });
  guardListener('onclose', () => () => safely(() => on.onclose?.()));

  function guardListener<K extends keyof typeof on>(
    name: K,
    guarded: () => NonNullable<(typeof on)[K]>,
  ): void {
    Object.defineProperty(transport, name, {
      configurable: true,
      enumerable: true,
      get: () => on[name] && guarded(),
      set(next: (typeof on)[K]) {
        on[name] = next;
      },
    });
  }

  const { intake } = transport;
  intake.awaits = (id) => pendingId(id) !== null;
  intake.onOver = end;

  transport.onbroken = (broken) => {
    if (ended) return;
    const id = pendingId(broken.answers ?? undefined);
    if (id !== null) fail(id, broken);
    else if (broken.isAnswer && !(broken.answers !== null && wasAsked(broken.answers))) lose(broken);
    strike(broken.fault);
  };

  transport.start = () => {
    if (closing !== null) throw stoppedEarly();
    const stopped = new Promise<never>((_resolve, reject) => {
      refuseStart = reject;
    });
    const started = inner.start().then(() => {
      hasStarted = true;
    }, hidden);
    return Promise.race([started, stopped]);
  };

  transport.send = async (message, options) => {
    const streams = transport.hasPerRequestStream === true;
    const request = 'method' in message && 'id' in message ? message : null;
    if (request === null) {
      const signal = options?.requestSignal ?? (streams ? AbortSignal.timeout(closeMs) : undefined);
      const sent = inner
        .send(message, { ...options, ...(signal && { requestSignal: signal }) })
        .catch(hidden);
      // In the older era a cancelled request would leave its stream open.
      if ('method' in message && message.method === 'notifications/cancelled')
        release(message.params?.requestId as RequestId);
      return sent;
    }
    const { id } = request;
    const stream = new AbortController();
    pending.set(id, { stream, method: request.method });
    if (typeof id === 'number') newestId = Math.max(newestId, id);
    else names.add(id);
    const ownSignal = options?.requestSignal;
    ownSignal?.addEventListener('abort', () => pending.delete(id), { once: true });
    try {
      await inner.send(message, {
        ...options,
        ...(streams && !ownSignal && { requestSignal: stream.signal }),
        onRequestStreamEnd() {
          if (options?.onRequestStreamEnd) options.onRequestStreamEnd();
          else fail(id, (ended ? trouble : null) ?? new StreamEnded());
          pending.delete(id);
        },
      });
    } catch (error) {
      pending.delete(id);
      hidden(error);
    }
  };

  function hidden(error: unknown): never {
    throw error instanceof Error ? hiding.error(error) : error;
  }

  function release(id: RequestId): void {
    pending.get(id)?.stream.abort();
    pending.delete(id);
  }

  transport.close = () =>
    (closing ??= (async () => {
      intake.end();
      refuseStart(trouble ?? stoppedEarly());
      const closed = inner.close().catch(() => undefined);
      if (!(await within(closed, closeMs))) safely(() => on.onclose?.());
    })());

  return { lastHeard: () => heardAt };
}

const stoppedEarly = () => new ProgramError({ code: 'stopped-early' });

/** An answer will not come any more, though the server may have done what was asked. */
export class StreamEnded extends Error {
  override readonly name = 'StreamEnded';
  constructor() {
    super(faultWords({ code: 'stream-ended' }));
  }
}

/** No server can write this key. */
const cause = Symbol('cause');

const failedRequest = (id: RequestId, why: Error): JSONRPCErrorResponse => ({
  jsonrpc: '2.0',
  id,
  error: { code: -32_000, message: why.message, data: { [cause]: why } },
});

/** Why the fence failed a request; null where the server itself answered. */
export function fenceCause(error: unknown): Error | null {
  const data: unknown = error instanceof Error && 'data' in error ? error.data : null;
  return typeof data === 'object' && data !== null && cause in data ? (data[cause] as Error) : null;
}
