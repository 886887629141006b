import { AppError } from '../../../contract/errors';
import type { ServerFault } from '../../../contract/server-faults';
import { reasonWords, type ServerReason } from '../../../contract/server-reasons';
import { type Clock, createObservable, type Observable, orCancelled, within } from '../../foundation';
import type { Connection } from '../client/connection';
import { needsSignIn, reasonOf, sessionIsLost, startFailure, unreachable } from '../client/failures';
import { born, isRunning, isUp, type Life, type LifeEvent, next } from './lifecycle';
import { createProbe, type Probe } from './probe';

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
const closeMs = 6_000;
/** Whatever does not end in that time is left behind; nothing of the core waits for it. */
const mostStopMs = 8_000;
const minuteMs = 60_000;

/** One function: each event decides about the same connection, the one that is being opened and the timers between them. */
export function createSupervisor(parts: SupervisorParts): Supervisor {
  const { serverId, clock } = parts;
  const life = createObservable<Life>(born);
  let connection: Connection | null = null;
  let opening: AbortController | null = null;
  /** Ends when everything of the last connection is gone; the next one starts only then. */
  let gone: Promise<unknown> = Promise.resolve();
  let probe: Probe | null = null;
  let cancelRetry: () => void = () => undefined;
  let cancelMinute: () => void = () => undefined;
  let stops = 0;
  let ended = false;

  function dispatch(event: LifeEvent): void {
    if (ended && event.kind === 'start') return;
    const before = life.get();
    const after = next(before, event);
    if (after === before) return;
    life.set(after);
    const { state } = after;
    if (before.state.kind === 'waiting') cancelRetry();
    if (isUp(before.state) && !isUp(state)) drop();
    if (before.state.kind === 'starting' && !isUp(state)) opening?.abort();
    if (state.kind !== 'ready') cancelMinute();
    else if (before.state.kind !== 'ready')
      cancelMinute = clock.after(minuteMs, () => dispatch({ kind: 'healthy-minute' }));
    if (state.kind === 'starting') open();
    if (state.kind === 'waiting')
      cancelRetry = clock.after(Math.max(0, state.retryAt - clock.now()), () => dispatch({ kind: 'retry' }));
  }

  function open(): void {
    const mine = new AbortController();
    opening = mine;
    const previous = gone;
    gone = (async () => {
      await previous;
      if (mine.signal.aborted) return;
      try {
        let endedEarly: ServerReason | null = null;
        let isOurs = false;
        const opened = await parts.open(mine.signal, (reason) => {
          if (isOurs && connection === opened) fail(reason);
          else endedEarly = reason;
        });
        if (mine.signal.aborted) return await opened.close();
        if (endedEarly !== null) return fail(endedEarly);
        isOurs = true;
        connection = opened;
        watch(opened);
        dispatch({ kind: 'connected', at: clock.now() });
        review();
      } catch (error) {
        if (mine.signal.aborted) return;
        const failure = startFailure(error);
        if (failure.kind === 'sign-in') dispatch({ kind: 'needs-sign-in' });
        else if (failure.kind === 'hopeless') {
          parts.onTrouble(failure.reason);
          dispatch({ kind: 'hopeless', reason: failure.reason });
        } else fail(parts.explain(failure.reason));
      }
    })();
  }

  function watch(opened: Connection): void {
    probe = createProbe({
      clock,
      ask: () => opened.ping(pingMs),
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

  function drop(): void {
    probe?.stop();
    probe = null;
    const old = connection;
    connection = null;
    if (old) {
      const previous = gone;
      gone = previous.then(() => within(old.close(), closeMs)).catch(() => undefined);
    }
  }

  function fail(reason: ServerReason): void {
    parts.onTrouble(reason);
    const { restarts } = parts.monitoring();
    dispatch({ kind: 'failed', at: clock.now(), reason, random: parts.random(), restarts });
  }

  function review(): void {
    if (connection && life.get().state.kind !== 'unhealthy')
      dispatch({ kind: 'answered', at: clock.now(), ms: 0, lost: parts.lost() });
  }

  const settled = () =>
    new Promise<void>((resolve) => {
      const stop = life.onChange(({ state }) => {
        if (isUp(state) || !isRunning(state) || isLongWait(state)) {
          stop();
          resolve();
        }
      });
    });

  async function ready(signal?: AbortSignal): Promise<Connection> {
    const before = life.get().state;
    if (before.kind === 'stopped' || before.kind === 'failed') dispatch({ kind: 'start' });
    const { state } = life.get();
    if (state.kind === 'starting' || (state.kind === 'waiting' && !isLongWait(state)))
      await (signal ? orCancelled(settled(), signal) : settled());
    if (connection && isUp(life.get().state)) return connection;
    throw unusable(serverId, life.get());
  }

  async function stop(kind: 'stop' | 'disable'): Promise<void> {
    stops++;
    opening?.abort();
    dispatch({ kind });
    await within(gone, mostStopMs);
  }

  return {
    life,
    connection: () => connection,
    start: () => dispatch({ kind: 'start' }),
    stop: () => stop('stop'),
    end() {
      ended = true;
      return stop('stop');
    },
    async restart() {
      const stopped = stop('stop');
      const mine = stops;
      await stopped;
      if (stops === mine) dispatch({ kind: 'start' });
    },
    disable: () => stop('disable'),
    enable: () => dispatch({ kind: 'enable' }),
    ready,
    probeNow: () => probe?.now(),
    monitoringChanged: () => probe?.reschedule(),
    sessionLost(lost) {
      if (connection === lost) fail({ code: 'session-lost' });
    },
    needsSignIn: () => dispatch({ kind: 'needs-sign-in' }),
    review,
  };
}

/** The first restart comes at once and is worth waiting for; the later ones are not. */
const isLongWait = (state: Life['state']) => state.kind === 'waiting' && state.attempt > 1;

function unusable(serverId: string, { state }: Life): AppError {
  if (state.kind === 'needs-sign-in')
    return new AppError('mcp.sign-in-needed', 'The server asks you to sign in.', { serverId });
  const why: ServerReason = 'reason' in state ? state.reason : { code: 'stopped' };
  if (why.code !== 'failure') return unreachable(serverId, why);
  const reason = reasonWords(why);
  return new AppError('mcp.unreachable', reason, { serverId, reason });
}
