import type { ServerEntry, ServerState } from '../../../contract/mcp';
import {
  type ServerCondition,
  type ServerStanding,
  serverCondition,
  standingOf,
} from '../../../contract/server-state';
import type { Tone } from '../../ui';
import { reasonText } from '../text/error-words';
import { longTime } from '../text/format';
import { type TextKey, t } from '../text/text';

export interface StateWords {
  readonly tone: Tone;
  readonly moving: boolean;
  readonly word: string;
  /** Why, or until when; empty where the word says it all. */
  readonly detail: string;
}

const tones: Readonly<Record<ServerStanding['health'], Tone>> = {
  serves: 'good',
  slow: 'warn',
  'on-its-way': 'accent',
  idle: 'neutral',
  trouble: 'bad',
};

const words = {
  stopped: 'state.stopped',
  starting: 'state.starting',
  ready: 'state.ready',
  degraded: 'state.degraded',
  unhealthy: 'state.unhealthy',
  'needs-sign-in': 'state.needsSignIn',
  waiting: 'state.waiting',
  failed: 'state.failed',
  off: 'state.disabled',
  'given-up': 'state.disabledByFailures',
} as const satisfies Record<ServerCondition, TextKey>;

export function stateWords(state: ServerState, now: number): StateWords {
  const condition = serverCondition(state);
  const { health } = standingOf(state);
  const time = state.kind === 'waiting' ? longTime(state.retryAt - now) : '';
  return {
    // Signing in and waiting pass by themselves or with a click; nothing is broken.
    tone: condition === 'needs-sign-in' || condition === 'waiting' ? 'warn' : tones[health],
    moving: health === 'on-its-way',
    word: t(words[condition], { time }),
    detail: detailOf(state),
  };
}

function detailOf(state: ServerState): string {
  if (state.kind === 'starting') return state.attempt > 1 ? t('state.attempt', { n: state.attempt }) : '';
  if (serverCondition(state) === 'off') return '';
  return 'reason' in state ? reasonText(state.reason) : '';
}

export interface McpSummary {
  /** Servers whose tools can be called. */
  readonly serving: number;
  /** Servers that are switched on, whatever became of them. */
  readonly active: number;
  readonly tools: number;
  readonly troubled: number;
  readonly slow: number;
  readonly starting: number;
  readonly idle: number;
  readonly tone: Tone;
}

export function summarise(servers: readonly ServerEntry[]): McpSummary {
  const enabled = servers.filter(({ state }) => serverCondition(state) !== 'off');
  const of = (...health: ServerStanding['health'][]) =>
    enabled.filter(({ state }) => health.includes(standingOf(state).health));
  const serving = of('serves', 'slow');
  const count = {
    serving: serving.length,
    active: enabled.length,
    tools: serving.reduce((sum, { tools }) => sum + (tools ?? 0), 0),
    troubled: of('trouble').length,
    slow: of('slow').length,
    starting: of('on-its-way').length,
    idle: of('idle').length,
  };
  return { ...count, tone: toneOf(count) };
}

function toneOf({ troubled, slow, starting, serving }: Omit<McpSummary, 'tone'>): Tone {
  if (troubled > 0) return 'bad';
  if (slow > 0) return 'warn';
  if (starting > 0) return 'accent';
  return serving > 0 ? 'good' : 'neutral';
}
