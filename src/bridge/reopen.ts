import type { Operations } from '../contract/define';
import { AppError, isAppError } from '../contract/errors';
import { type BridgeClient, createBridgeClient, type WireClient } from './client';
import { createLastingClient } from './lasting-client';
import { watchLife } from './life';
import type { Wire } from './wire';

export type ConnectionState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'connected' }
  | { readonly kind: 'waiting'; readonly retryAt: number; readonly attempt: number }
  /** The wire is there and the core says nothing, as one that was stopped. */
  | { readonly kind: 'unresponsive' }
  /** The core is there and does not let this page in. Requests wait until `retryNow` is called and it does. */
  | { readonly kind: 'refused' }
  /** The core was updated; only loading the page again helps. */
  | { readonly kind: 'stale' }
  | { readonly kind: 'closed' };

export interface Connection<Ops extends Operations> {
  /**
   * Requests wait for the first connection. One that was under way when the wire dropped fails with `connection.lost`, since
   * nobody knows whether the core did it; so does a call that a silent core was not heard of in time, and it is taken back.
   * Where there is none for two seconds, or the core is known to be silent, a call fails with `connection.none`, unless it
   * says that it waits: what a person asked for is not done minutes later behind their back. Streams wait, and states go on
   * by themselves.
   */
  readonly client: BridgeClient<Ops>;
  readonly state: {
    get(): ConnectionState;
    onChange(listener: (state: ConnectionState) => void): () => void;
  };
  /** Ends a wait at once, for instance when the network is back, or tries again after a refusal. */
  retryNow(): void;
  close(): void;
}

interface Clock {
  now(): number;
  after(ms: number, work: () => void): () => void;
}

const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, work) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * A client that outlives its wires: when one drops, the next is opened, waiting longer after each failure. One closure, since every
 * event of a wire changes the one state that says what the next event means.
 */
export function reopening<Ops extends Operations>({
  open,
  operations,
  clock = systemClock,
  random = Math.random,
}: {
  open: () => Promise<Wire>;
  operations: Ops;
  clock?: Clock;
  random?: () => number;
}): Connection<Ops> {
  let state: ConnectionState = { kind: 'connecting' };
  let current = Promise.withResolvers<WireClient<Ops>>();
  let wire: Wire | undefined;
  let attempt = 0;
  let wasConnected = false;
  let stopWaiting: () => void = () => undefined;
  let stopWatching: () => void = () => undefined;
  const listeners = new Set<(state: ConnectionState) => void>();
  current.promise.catch(() => undefined);

  function become(next: ConnectionState): void {
    state = next;
    for (const listener of [...listeners]) listener(next);
  }

  /** `stale` and `closed` are for good. */
  const over = () => state.kind === 'stale' || state.kind === 'closed';

  function end(next: ConnectionState, error: AppError): void {
    if (over()) return;
    stopWaiting();
    stopWatching();
    become(next);
    current.reject(error);
    // Later requests must find the rejection too.
    current = Promise.withResolvers();
    current.promise.catch(() => undefined);
    current.reject(error);
    wire?.close();
  }

  async function connect(): Promise<void> {
    become({ kind: 'connecting' });
    try {
      const opened = await open();
      if (over()) return opened.close();
      wire = opened;
      opened.onClose(() => {
        if (wire === opened) dropped();
      });
      const client = createBridgeClient<Ops>(opened, operations);
      await client.greeted;
      attempt = 0;
      wasConnected = true;
      become({ kind: 'connected' });
      current.resolve(client);
      stopWatching = watchLife(client, clock, (isAlive) => (isAlive ? answers(client) : silent(client)));
    } catch (error) {
      if (isAppError(error, 'connection.stale')) end({ kind: 'stale' }, error);
      else if (over()) return;
      else if (isAppError(error, 'connection.refused')) become({ kind: 'refused' });
      else if (wire === undefined) waitThenConnect();
    }
  }

  function awaitAnother(): void {
    current = Promise.withResolvers();
    current.promise.catch(() => undefined);
  }

  function dropped(): void {
    wire = undefined;
    stopWatching();
    if (state.kind === 'connected') awaitAnother();
    waitThenConnect();
  }

  function silent(client: WireClient<Ops>): void {
    awaitAnother();
    become({ kind: 'unresponsive' });
    client.takeBack();
  }

  function answers(client: WireClient<Ops>): void {
    become({ kind: 'connected' });
    current.resolve(client);
  }

  function gap(): 'lost' | 'silent' | null {
    if (!wasConnected || state.kind === 'connected') return null;
    return state.kind === 'unresponsive' ? 'silent' : 'lost';
  }

  function waitThenConnect(): void {
    if (over() || state.kind === 'waiting') return;
    attempt++;
    const ms = Math.min(10_000, 100 * 2 ** (attempt - 1)) * (0.75 + random() * 0.5);
    stopWaiting = clock.after(ms, () => void connect());
    become({ kind: 'waiting', retryAt: clock.now() + ms, attempt });
  }

  void connect();

  return {
    client: createLastingClient(operations, { client: () => current.promise, gap }, clock),
    state: {
      get: () => state,
      onChange(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    retryNow() {
      if (state.kind !== 'waiting' && state.kind !== 'refused') return;
      stopWaiting();
      void connect();
    },
    close: () =>
      end({ kind: 'closed' }, new AppError('connection.lost', 'The connection to the app was closed.', {})),
  };
}
