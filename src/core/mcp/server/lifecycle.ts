import type { ServerState } from '../../../contract/mcp';
import type { ServerFault } from '../../../contract/server-faults';
import type { ServerReason } from '../../../contract/server-reasons';
import { backoff } from '../../foundation';

/** A server's state and how many times in a row it has let us down. */
export interface Life {
  readonly state: ServerState;
  readonly failures: number;
}

export type LifeEvent =
  | { readonly kind: 'start' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'disable' }
  /** The way back from `disabled`; starts nothing. */
  | { readonly kind: 'enable' }
  | { readonly kind: 'connected'; readonly at: number }
  | { readonly kind: 'needs-sign-in' }
  /** A start that failed, a connection that was lost, a server that does not answer. `restarts`: how many are tried in a row. */
  | {
      readonly kind: 'failed';
      readonly at: number;
      readonly reason: ServerReason;
      readonly random: number;
      readonly restarts: number;
    }
  /** Trying again would change nothing until a person does something. */
  | { readonly kind: 'hopeless'; readonly reason: ServerReason }
  | { readonly kind: 'retry' }
  | { readonly kind: 'answered'; readonly at: number; readonly ms: number; readonly lost: ServerFault | null }
  | { readonly kind: 'no-answer'; readonly reason: ServerReason }
  | { readonly kind: 'healthy-minute' };

export const born: Life = { state: { kind: 'stopped' }, failures: 0 };
const slowMs = 1_000;
const unhealthyMs = 5_000;

/** The next state. An event that has no meaning in a state leaves it as it is (the same object). */
export function next(life: Life, event: LifeEvent): Life {
  const { state, failures } = life;
  switch (event.kind) {
    case 'start':
      return isRunning(state) || isOff(state)
        ? life
        : { state: { kind: 'starting', attempt: 0 }, failures: 0 };
    case 'stop':
      return state.kind === 'disabled' || state.kind === 'stopped' ? life : born;
    case 'disable':
      return { state: { kind: 'disabled', by: 'user', reason: { code: 'switched-off' } }, failures: 0 };
    case 'enable':
      return state.kind === 'disabled' ? born : life;
    case 'connected':
      return state.kind === 'starting' ? { state: { kind: 'ready', since: event.at }, failures } : life;
    case 'needs-sign-in':
      return isRunning(state) ? { state: { kind: 'needs-sign-in' }, failures: 0 } : life;
    case 'failed':
      return isRunning(state) ? afterFailure(failures + 1, event) : life;
    case 'hopeless':
      return isRunning(state) ? { state: { kind: 'failed', reason: event.reason }, failures } : life;
    case 'retry':
      return state.kind === 'waiting'
        ? { state: { kind: 'starting', attempt: state.attempt }, failures }
        : life;
    case 'answered':
      return isUp(state) ? { state: afterAnswer(state, event), failures } : life;
    case 'no-answer':
      return isUp(state) ? { state: { kind: 'unhealthy', reason: event.reason }, failures } : life;
    case 'healthy-minute':
      return state.kind === 'ready' && failures > 0 ? { state, failures: 0 } : life;
  }
}

/** The first restart comes at once, the later ones wait; after the last a person is asked. */
function afterFailure(failures: number, event: Extract<LifeEvent, { kind: 'failed' }>): Life {
  const { at, reason, random, restarts } = event;
  if (failures > restarts) return { state: { kind: 'disabled', by: 'failures', reason }, failures };
  const wait = failures === 1 ? 0 : backoff(failures - 1, { first: 1_000, most: 30_000 }, random);
  return { state: { kind: 'waiting', retryAt: at + wait, attempt: failures, reason }, failures };
}

function afterAnswer(
  state: Extract<ServerState, { kind: 'ready' | 'degraded' | 'unhealthy' }>,
  { at, ms, lost }: Extract<LifeEvent, { kind: 'answered' }>,
): ServerState {
  if (ms >= unhealthyMs) return { kind: 'unhealthy', reason: { code: 'slow', ms } };
  const reason = lost ?? (ms >= slowMs ? { code: 'slow' as const, ms } : null);
  if (reason === null) return state.kind === 'ready' ? state : { kind: 'ready', since: sinceOf(state, at) };
  return { kind: 'degraded', since: sinceOf(state, at), reason };
}

const sinceOf = (state: ServerState, at: number) =>
  state.kind === 'ready' || state.kind === 'degraded' ? state.since : at;

/** Connected, however well. */
export function isUp(
  state: ServerState,
): state is Extract<ServerState, { kind: 'ready' | 'degraded' | 'unhealthy' }> {
  return state.kind === 'ready' || state.kind === 'degraded' || state.kind === 'unhealthy';
}

/** Up, on its way up, or about to be tried again. */
export const isRunning = (state: ServerState) =>
  isUp(state) || state.kind === 'starting' || state.kind === 'waiting';

/** By a person's hand: nothing but that person's hand starts it. */
const isOff = (state: ServerState) => state.kind === 'disabled' && state.by === 'user';
