import type { InputOf, ItemOf, NameOf, Operations, OutputOf } from '../contract/define';
import { AppError, deserializeError } from '../contract/errors';
import { changed } from './change';
import type { AnswerFrame, ClientFrame, ServerFrame } from './frames';
import { cancelled, createRequests, type Requests } from './requests';
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

/** With `operations`, a core that serves another table fails every request with `connection.stale`. */
export function createBridgeClient<Ops extends Operations>(wire: Wire, operations?: Ops): WireClient<Ops> {
  /** Nothing is asked of a core before it is known to mean the same by it. */
  let beforeHello: ClientFrame[] | undefined = [];
  let onHeard: () => void = () => undefined;
  const greeting = Promise.withResolvers<void>();
  greeting.promise.catch(() => undefined);
  const requests = createRequests(send);

  function send(frame: ClientFrame): void {
    if (beforeHello) beforeHello.push(frame);
    else wire.send(frame);
  }

  function fail(error: AppError): void {
    greeting.reject(error);
    requests.fail(error);
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
    else if (frame.t !== 'pong') requests.received(frame);
    onHeard();
  });
  const lost = () => new AppError('connection.lost', 'The connection to the app was lost.', {});
  wire.onClose(() => fail(lost()));

  return {
    greeted: greeting.promise,
    ping: () => send({ t: 'ping' }),
    onHeard: (listener) => {
      onHeard = listener;
    },
    takeBack: () => requests.takeBack(lost()),
    call: (name, input, options) => resultOf(requests, name, input, options) as Promise<never>,
    stream: (name, input, options) => itemsOf(requests, name, input, options) as AsyncIterable<never>,
  };
}

function resultOf(
  requests: Requests,
  op: string,
  input: unknown,
  options: RequestOptions = {},
): Promise<unknown> {
  const { waits = false, signal } = options;
  return new Promise((resolve, reject) => {
    const received = (frame: AnswerFrame) => {
      if (frame.t === 'result') resolve(frame.output);
      else if (frame.t === 'error') reject(deserializeError(frame.error));
    };
    requests.start({ t: 'call', op, input }, { waits, received, failed: reject }, signal);
  });
}

async function* itemsOf(
  requests: Requests,
  op: string,
  input: unknown,
  { waits = true, signal }: RequestOptions = {},
): AsyncGenerator<unknown> {
  // Bounded by the server's credit.
  const inbox: AnswerFrame[] = [];
  let item: unknown;
  let failure: AppError | undefined;
  let wake: () => void = () => undefined;
  const received = (frame: AnswerFrame) => {
    inbox.push(frame);
    wake();
  };
  const failed = (error: AppError) => {
    failure = error;
    wake();
  };
  const request = requests.start({ t: 'open', op, input }, { waits, received, failed }, signal);
  try {
    for (;;) {
      if (signal?.aborted) throw cancelled();
      const frame = inbox.shift();
      if (frame?.t === 'item' || frame?.t === 'change') {
        item = frame.t === 'item' ? frame.item : changed(item, frame.change);
        yield item;
        if (frame.ask) request.more();
      } else if (frame?.t === 'error') throw deserializeError(frame.error);
      else if (frame) return;
      else if (failure) throw failure;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    request.cancel();
  }
}
