import type { ServerPicture, ServerState } from '../../contract/mcp';
import type { Tone } from '../ui';
import { longTime } from './format';
import { t } from './text';

export interface StateWords {
  readonly tone: Tone;
  readonly moving: boolean;
  readonly word: string;
  /** Why, or until when; empty where the word says it all. */
  readonly detail: string;
}

export function stateWords(state: ServerState, now: number): StateWords {
  const say = (tone: Tone, word: string, detail = '', moving = false) => ({ tone, moving, word, detail });
  switch (state.kind) {
    case 'ready':
      return say('good', t('state.ready'));
    case 'starting':
      return say(
        'accent',
        t('state.starting'),
        state.attempt > 1 ? t('state.attempt', { n: state.attempt }) : '',
        true,
      );
    case 'degraded':
      return say('warn', t('state.degraded'), state.reason);
    case 'unhealthy':
      return say('bad', t('state.unhealthy'), state.reason);
    case 'needs-sign-in':
      return say('warn', t('state.needsSignIn'));
    case 'waiting':
      return say('warn', t('state.waiting', { time: longTime(state.retryAt - now) }), state.reason);
    case 'failed':
      return say('bad', t('state.failed'), state.reason);
    case 'stopped':
      return say('neutral', t('state.stopped'));
    case 'disabled':
      return say(
        'neutral',
        t(state.by === 'user' ? 'state.disabled' : 'state.disabledByFailures'),
        state.reason,
      );
  }
}

export interface McpSummary {
  readonly ready: number;
  readonly enabled: number;
  readonly tools: number;
  readonly failing: number;
  readonly starting: number;
}

export function summarise(servers: readonly ServerPicture[]): McpSummary {
  const serves = ({ state }: ServerPicture) => state.kind === 'ready' || state.kind === 'degraded';
  return {
    ready: servers.filter(serves).length,
    enabled: servers.filter((server) => server.enabled).length,
    tools: servers.filter(serves).reduce((sum, { tools }) => sum + (tools ?? 0), 0),
    failing: servers.filter(({ state }) => failing.has(state.kind)).length,
    starting: servers.filter(({ state }) => state.kind === 'starting').length,
  };
}

const failing = new Set<ServerState['kind']>(['failed', 'unhealthy', 'waiting', 'needs-sign-in']);
