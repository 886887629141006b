import type { ServerState } from './mcp';

/** What a person may do with a server. */
export type ServerAction = 'turn-on' | 'keep-off' | 'start' | 'stop' | 'restart' | 'sign-in';

/** The states as people tell them apart: off by their own hand is not off after failures. */
export type ServerCondition = Exclude<ServerState['kind'], 'disabled'> | 'off' | 'given-up';

export interface ServerStanding {
  /** `serves`: its tools can be called. `trouble`: it is wanted, and a person should look at it. */
  readonly health: 'serves' | 'slow' | 'on-its-way' | 'idle' | 'trouble';
  /** What its switch shows. */
  readonly on: boolean;
  /** The most likely first. */
  readonly actions: readonly ServerAction[];
}

/** The one table that every host and screen draws a server from. */
export const serverStandings: Readonly<Record<ServerCondition, ServerStanding>> = {
  stopped: { health: 'idle', on: true, actions: ['start'] },
  starting: { health: 'on-its-way', on: true, actions: ['stop', 'restart'] },
  ready: { health: 'serves', on: true, actions: ['stop', 'restart'] },
  degraded: { health: 'slow', on: true, actions: ['stop', 'restart'] },
  unhealthy: { health: 'trouble', on: true, actions: ['restart', 'stop'] },
  'needs-sign-in': { health: 'trouble', on: true, actions: ['sign-in', 'restart'] },
  waiting: { health: 'trouble', on: true, actions: ['restart', 'stop'] },
  failed: { health: 'trouble', on: true, actions: ['start'] },
  off: { health: 'idle', on: false, actions: ['turn-on'] },
  'given-up': { health: 'trouble', on: false, actions: ['turn-on', 'restart', 'keep-off'] },
};

export function serverCondition(state: ServerState): ServerCondition {
  if (state.kind !== 'disabled') return state.kind;
  return state.by === 'user' ? 'off' : 'given-up';
}

export const standingOf = (state: ServerState): ServerStanding => serverStandings[serverCondition(state)];

/** Its tools can be called, however slowly. */
export const serves = (state: ServerState): boolean => ['serves', 'slow'].includes(standingOf(state).health);
