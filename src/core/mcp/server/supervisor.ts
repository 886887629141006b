import type { ServerFault } from '../../../contract/server-faults';
import type { ServerReason } from '../../../contract/server-reasons';
import { type Clock, type Observable, within } from '../../foundation';
import type { Connection } from '../client/connection';
import { needsSignIn, reasonOf, sessionIsLost, startFailure } from '../client/failures';
import { createConnectionSlot } from './connection-slot';
import type { Life } from './lifecycle';
import { createProbe, type Probe } from './probe';
import { whenReady } from './readiness';
import { createServerLife } from './server-life';

export interface SupervisorParts {
  readonly serverId: string;
  readonly clock: Clock;
  random(): number;
  /** One try. The signal means: no longer wanted. `onClosed`: the connection ended by itself. */
  open(signal: AbortSignal, onClosed: (reason: ServerReason) => void): Promise<Connection>;
  /** Calls are under way: a server that is busy with them is not restarted for being slow. */
  isBusy(): boolean;
  /** Something of what it offers is not there; null: all is. */
  lost(): ServerFault | null;
  /** A failure with what may explain it, such as the last lines of its log. */
  explain(reason: ServerReason): ServerReason;
  onAnswer(ms: number): void;
  onTrouble(reason: ServerReason): void;
  monitoring(): Monitoring;
}

/** How closely a server is watched; asked for at each use. */
export interface Monitoring {
  /** Milliseconds between two questions whether it is there; null: it is not asked. */
  readonly everyMs: number | null;
  /** How often in a row it is started again by itself. */
  readonly restarts: number;
}

/** Keeps one server running: starts it, watches it, starts it again, gives up in the end. */
export interface Supervisor {
  readonly life: Observable<Life>;
  connection(): Connection | null;
  start(): void;
  stop(): Promise<void>;
  /** Stops it for good: nothing starts it again. */
  end(): Promise<void>;
  /** Not where it is stopped again meanwhile. */
  restart(): Promise<void>;
  disable(): Promise<void>;
  /** The way back from `disabled`; starts nothing. */
  enable(): void;
  /** Starts it if need be. Rejects with the reason why it cannot be used. */
  ready(signal?: AbortSignal): Promise<Connection>;
  probeNow(): void;
  /** How closely it is watched has changed. */
  monitoringChanged(): void;
  /** A call was told that its session is forgotten: a new one is opened at once. */
  sessionLost(connection: Connection): void;
  /** A call was told that somebody has to sign in. */
  needsSignIn(): void;
  /** What it offers has changed: the state is looked at anew. */
  review(): void;
}

const pingMs = 5_000;
/** Whatever does not end in that time goes on ending behind it; nothing of the core waits for it. */
export const mostStopMs = 1_800;

/** One function: what the connection, the probe and the calls report is all judged by the same life. */
export function createSupervisor(parts: SupervisorParts): Supervisor {
  const { serverId, clock } = parts;
  let probe: Probe | null = null;
  let stops = 0;

  const { life, dispatch, end } = createServerLife({
    clock,
    open: () => slot.open(),
    abort: () => slot.abort(),
    drop() {
      probe?.stop();
      probe = null;
      slot.drop();
    },
  });

  const slot = createConnectionSlot({
    open: parts.open,
    onOpen(connection) {
      probe = watch(connection);
      dispatch({ kind: 'connected', at: clock.now() });
      review();
    },
    onClosed: fail,
    onFailure(error) {
      const failure = startFailure(error);
      if (failure.kind === 'sign-in') dispatch({ kind: 'needs-sign-in' });
      else if (failure.kind === 'hopeless') {
        parts.onTrouble(failure.reason);
        dispatch({ kind: 'hopeless', reason: failure.reason });
      } else fail(parts.explain(failure.reason));
    },
  });

  function watch(connection: Connection): Probe {
    return createProbe({
      clock,
      ask: () => connection.ping(pingMs),
      everyMs: () => parts.monitoring().everyMs,
      onAnswer(ms) {
        parts.onAnswer(ms);
        dispatch({ kind: 'answered', at: clock.now(), ms, lost: parts.lost() });
      },
      onSilence(error) {
        const reason = reasonOf(error);
        if (needsSignIn(error)) dispatch({ kind: 'needs-sign-in' });
        else if (sessionIsLost(error)) fail(reason);
        else if (life.get().state.kind !== 'unhealthy') {
          parts.onTrouble(reason);
          dispatch({ kind: 'no-answer', reason });
        } else if (!parts.isBusy()) fail(reason);
      },
    });
  }

  function fail(reason: ServerReason): void {
    parts.onTrouble(reason);
    const { restarts } = parts.monitoring();
    dispatch({ kind: 'failed', at: clock.now(), reason, random: parts.random(), restarts });
  }

  function review(): void {
    if (slot.current() && life.get().state.kind !== 'unhealthy')
      dispatch({ kind: 'answered', at: clock.now(), ms: 0, lost: parts.lost() });
  }

  async function stop(kind: 'stop' | 'disable'): Promise<void> {
    stops++;
    slot.abort();
    dispatch({ kind });
    await within(slot.whenEmpty(), mostStopMs);
  }

  const start = () => dispatch({ kind: 'start' });
  const readiness = { serverId, life, connection: slot.current, start };

  return {
    life,
    connection: slot.current,
    start,
    stop: () => stop('stop'),
    end() {
      end();
      return stop('stop');
    },
    async restart() {
      const stopping = stop('stop');
      const mine = stops;
      await stopping;
      if (stops === mine) start();
    },
    disable: () => stop('disable'),
    enable: () => dispatch({ kind: 'enable' }),
    ready: (signal) => whenReady(readiness, signal),
    probeNow: () => probe?.now(),
    monitoringChanged: () => probe?.reschedule(),
    sessionLost(connection) {
      if (slot.current() === connection) fail({ code: 'session-lost' });
    },
    needsSignIn: () => dispatch({ kind: 'needs-sign-in' }),
    review,
  };
}
