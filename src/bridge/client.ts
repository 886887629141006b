import type { InputOf, ItemOf, NameOf, Operations, OutputOf } from '../contract/define';
import { AppError, deserializeError } from '../contract/errors';
import { changed } from './change';
import type { AnswerFrame, ClientFrame, ServerFrame } from './frames';
import { tableHash } from './table-hash';
import type { Wire } from './wire';

export interface RequestOptions {
  signal?: AbortSignal;
  /**
   * Where the connection was lost, or the core does not answer: asked as soon as it is there again, else it fails with
   * `connection.none`. Streams wait where nothing else is said, calls do not.
   */
  waits?: boolean;
}

export interface BridgeClient<Ops extends Operations> {
  call<N extends NameOf<Ops, 'call'>>(
    name: N,
    input: InputOf<Ops[N]>,
    options?: RequestOptions,
  ): Promise<OutputOf<Ops[N]>>;
  /** Leaving the `for await` loop, or aborting the signal, cancels the work in the core. */
  stream<N extends NameOf<Ops, 'stream'>>(
    name: N,
    input: InputOf<Ops[N]>,
    options?: RequestOptions,
  ): AsyncIterable<ItemOf<Ops[N]>>;
}

/** A client of one wire. */
export interface WireClient<Ops extends Operations> extends BridgeClient<Ops> {
  /** Resolves when the core has said hello; rejects with `connection.stale` or `connection.lost`. */
  readonly greeted: Promise<void>;
  /** Asks for a sign of life. */
  ping(): void;
  /** Whatever comes from the core is one. */
  onHeard(listener: () => void): void;
  /** Takes back what was asked for and does not wait; it fails with `connection.lost`. */
  takeBack(): void;
}

interface Waiting {
  /** Whether it may be done late. */
  waits: boolean;
  received(frame: AnswerFrame): void;
  failed(error: AppError): void;
}

/** With `operations`, a core that serves another table fails every request with `connection.stale`. */
export function createBridgeClient<Ops extends Operations>(wire: Wire, operations?: Ops): WireClient<Ops> {
  const waiting = new Map<number, Waiting>();
  /** Nothing is asked of a core before it is known to mean the same by it. */
  let beforeHello: ClientFrame[] | undefined = [];
  let lastId = 0;
  let broken: AppError | undefined;
  let onHeard: () => void = () => undefined;
  const greeting = Promise.withResolvers<void>();
  greeting.promise.catch(() => undefined);

  function send(frame: ClientFrame): void {
    if (beforeHello) beforeHello.push(frame);
    else wire.send(frame);
  }

  function fail(error: AppError): void {
    broken ??= error;
    greeting.reject(broken);
    for (const request of [...waiting.values()]) request.failed(broken);
    waiting.clear();
  }

  function greet(table: string): void {
    if (operations && table !== tableHash(operations)) {
      fail(new AppError('connection.stale', 'The app was updated. Load this page again.', {}));
      wire.close();
      return;
    }
    for (const frame of beforeHello ?? []) wire.send(frame);
    beforeHello = undefined;
    greeting.resolve();
  }

  wire.onFrame((raw) => {
    const frame = raw as ServerFrame;
    if (frame.t === 'hello') greet(frame.table);
    else if (frame.t === 'held') wire.send({ t: 'stands' } satisfies ClientFrame);
    else if (frame.t !== 'pong') waiting.get(frame.id)?.received(frame);
    onHeard();
  });
  const lost = () => new AppError('connection.lost', 'The connection to the app was lost.', {});
  wire.onClose(() => fail(lost()));

  function start(
    t: 'call' | 'open',
    op: string,
    input: unknown,
    request: Waiting,
    signal?: AbortSignal,
  ): { cancel(): void; more(): void } {
    const id = ++lastId;
    const forget = () => {
      signal?.removeEventListener('abort', cancel);
      return waiting.delete(id);
    };
    const cancel = () => {
      if (!forget()) return;
      send({ t: 'cancel', id });
      request.failed(cancelled());
    };
    if (broken) request.failed(broken);
    else if (signal?.aborted) request.failed(cancelled());
    else {
      const entry: Waiting = {
        waits: request.waits,
        failed: (error) => {
          forget();
          request.failed(error);
        },
        received: (frame) => {
          // A stream that has begun goes on by itself.
          if (frame.t === 'item' || frame.t === 'change') entry.waits = true;
          else forget();
          request.received(frame);
        },
      };
      waiting.set(id, entry);
      signal?.addEventListener('abort', cancel, { once: true });
      send({ t, id, op, input });
    }
    return {
      cancel,
      more: () => {
        if (waiting.has(id)) send({ t: 'more', id });
      },
    };
  }

  return {
    greeted: greeting.promise,
    ping: () => send({ t: 'ping' }),
    onHeard: (listener) => {
      onHeard = listener;
    },
    takeBack() {
      for (const [id, request] of [...waiting]) {
        if (request.waits) continue;
        send({ t: 'cancel', id });
        request.failed(lost());
      }
    },

    call: (name, input, options) =>
      new Promise((resolve, reject) => {
        const received = (frame: AnswerFrame) => {
          if (frame.t === 'result') resolve(frame.output as never);
          else if (frame.t === 'error') reject(deserializeError(frame.error));
        };
        start(
          'call',
          name,
          input,
          { waits: options?.waits ?? false, received, failed: reject },
          options?.signal,
        );
      }),

    async *stream(name, input, options) {
      // Bounded by the server's credit.
      const inbox: AnswerFrame[] = [];
      let item: unknown;
      let failure: AppError | undefined;
      let wake: () => void = () => undefined;
      const request = start(
        'open',
        name,
        input,
        {
          waits: options?.waits ?? true,
          received: (frame) => {
            inbox.push(frame);
            wake();
          },
          failed: (error) => {
            failure = error;
            wake();
          },
        },
        options?.signal,
      );
      try {
        for (;;) {
          if (options?.signal?.aborted) throw cancelled();
          const frame = inbox.shift();
          if (frame?.t === 'item' || frame?.t === 'change') {
            item = frame.t === 'item' ? frame.item : changed(item, frame.change);
            yield item as never;
            if (frame.ask) request.more();
          } else if (frame?.t === 'error') throw deserializeError(frame.error);
          else if (frame) return;
          else if (failure) throw failure;
          else await new Promise<void>((resolve) => (wake = resolve));
        }
      } finally {
        request.cancel();
      }
    },
  };
}

function cancelled(): AppError<'request.cancelled'> {
  return new AppError('request.cancelled', 'Cancelled.', {});
}
