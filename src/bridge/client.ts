import type { InputOf, ItemOf, NameOf, Operations, OutputOf } from '../contract/define';
import { AppError, deserializeError } from '../contract/errors';
import type { ClientFrame, ServerFrame } from './frames';
import type { Wire } from './wire';

export interface RequestOptions {
  signal?: AbortSignal;
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

interface Waiting {
  received(frame: ServerFrame): void;
  failed(error: AppError): void;
}

export function createBridgeClient<Ops extends Operations>(wire: Wire): BridgeClient<Ops> {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let lost: AppError | undefined;

  wire.onFrame((frame) => waiting.get((frame as ServerFrame).id)?.received(frame as ServerFrame));
  wire.onClose(() => {
    lost = new AppError('connection.lost', 'The connection to the core was lost.', {});
    for (const request of waiting.values()) request.failed(lost);
    waiting.clear();
  });

  function start(
    t: 'call' | 'open',
    op: string,
    input: unknown,
    request: Waiting,
    signal?: AbortSignal,
  ): () => void {
    if (lost) {
      request.failed(lost);
      return () => undefined;
    }
    if (signal?.aborted) {
      request.failed(cancelled());
      return () => undefined;
    }
    const id = ++lastId;
    const send = (frame: ClientFrame) => wire.send(frame);
    const forget = () => {
      signal?.removeEventListener('abort', cancel);
      return waiting.delete(id);
    };
    const cancel = () => {
      if (!forget()) return;
      send({ t: 'cancel', id });
      request.failed(cancelled());
    };
    waiting.set(id, {
      failed: request.failed,
      received: (frame) => {
        if (frame.t !== 'item') forget();
        request.received(frame);
      },
    });
    signal?.addEventListener('abort', cancel, { once: true });
    send({ t, id, op, input });
    return cancel;
  }

  return {
    call: (name, input, options) =>
      new Promise((resolve, reject) => {
        const received = (frame: ServerFrame) => {
          if (frame.t === 'result') resolve(frame.output as never);
          if (frame.t === 'error') reject(deserializeError(frame.error));
        };
        start('call', name, input, { received, failed: reject }, options?.signal);
      }),

    async *stream(name, input, options) {
      const inbox: ServerFrame[] = [];
      let failure: AppError | undefined;
      let wake = () => undefined as undefined;
      const cancel = start(
        'open',
        name,
        input,
        {
          received: (frame) => (inbox.push(frame), wake()),
          failed: (error) => ((failure = error), wake()),
        },
        options?.signal,
      );
      try {
        for (;;) {
          const frame = inbox.shift();
          if (frame?.t === 'item') yield frame.item as never;
          else if (frame?.t === 'error') throw deserializeError(frame.error);
          else if (frame) return;
          else if (failure) throw failure;
          else await new Promise<void>((resolve) => (wake = resolve));
        }
      } finally {
        cancel();
      }
    },
  };
}

function cancelled(): AppError<'request.cancelled'> {
  return new AppError('request.cancelled', 'Cancelled.', {});
}
