import type { NameOf, Operations } from '../contract/define';
import { AppError, isAppError } from '../contract/errors';
import type { BridgeClient, RequestOptions, WireClient } from './client';

/** Milliseconds; a shorter interruption is nobody's business. */
const callTimeout = 2_000;

/** The wire that is there, or the next one. */
export interface CurrentWire<Ops extends Operations> {
  client(): Promise<WireClient<Ops>>;
  /** What keeps a call from being made now; null: nothing, or the first connection is still on its way. */
  gap(): 'lost' | 'silent' | null;
}

/** A client of whichever wire is there. */
export function createLastingClient<Ops extends Operations>(
  operations: Ops,
  current: CurrentWire<Ops>,
  clock: { after(ms: number, work: () => void): () => void },
): BridgeClient<Ops> {
  function connected(signal: AbortSignal | undefined): Promise<WireClient<Ops>> {
    return new Promise((resolve, reject) => {
      const onAbort = () => reject(new AppError('request.cancelled', 'Cancelled.', {}));
      if (signal?.aborted) return onAbort();
      signal?.addEventListener('abort', onAbort);
      current
        .client()
        .then(resolve, reject)
        .finally(() => signal?.removeEventListener('abort', onAbort));
    });
  }

  async function connectedWithin(ms: number, signal: AbortSignal | undefined): Promise<WireClient<Ops>> {
    const limit = new AbortController();
    const cancel = clock.after(ms, () => limit.abort());
    try {
      return await connected(signal ? AbortSignal.any([signal, limit.signal]) : limit.signal);
    } catch (error) {
      if (signal?.aborted || !limit.signal.aborted) throw error;
      throw notConnected();
    } finally {
      cancel();
    }
  }

  function soon({ signal, waits = false }: RequestOptions = {}): Promise<WireClient<Ops>> {
    const gap = current.gap();
    if (gap === null || waits) return connected(signal);
    return gap === 'silent' ? Promise.reject(notConnected()) : connectedWithin(callTimeout, signal);
  }

  /** A state goes on over the next wire. */
  async function* newest(
    name: NameOf<Ops, 'stream'>,
    input: never,
    options?: RequestOptions,
  ): AsyncGenerator<never> {
    for (;;) {
      const client = await soon({ waits: true, ...options });
      try {
        return yield* client.stream(name, input, options) as AsyncIterable<never>;
      } catch (error) {
        if (!isAppError(error, 'connection.lost')) throw error;
      }
    }
  }

  return {
    call: async (name, input, options) => (await soon(options)).call(name, input, options),
    async *stream(name, input, options) {
      const operation = operations[name];
      if (operation?.kind === 'stream' && operation.isState) yield* newest(name, input as never, options);
      else yield* (await soon({ waits: true, ...options })).stream(name, input, options);
    },
  };
}

const notConnected = () => new AppError('connection.none', 'The app is not connected.', {});
