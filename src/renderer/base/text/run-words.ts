import type { RunPhase, RunPicture } from '../../../contract/chat';
import type { Tone } from '../../ui';
import { longTime, price } from './format';
import { t } from './text';

export function isLive(run: RunPicture | null | undefined): run is RunPicture {
  return run != null && run.finishedAt === null;
}

export function isCallLive({ state }: Pick<RunPicture['calls'][number], 'state'>): boolean {
  return state === 'asked' || state === 'running';
}

export interface RunWords {
  readonly tone: 'live' | 'quiet' | 'bad';
  readonly phase: string;
  readonly facts: readonly string[];
  readonly detail: string;
}

/** Where a run stands, in a few words; null when there is nothing left to say. */
export function runWords(run: RunPicture, now: number): RunWords {
  const brokeOff = run.phase.kind === 'broke-off';
  const seconds = Math.max(0, ((run.finishedAt ?? now) - run.startedAt) / 1000);
  const tokens = run.usage ? t('run.tokens', { n: run.usage.inputTokens + run.usage.outputTokens }) : null;
  return {
    tone: brokeOff || run.phase.kind === 'failed' ? 'bad' : run.finishedAt === null ? 'live' : 'quiet',
    phase: phaseWords(run, now),
    facts: [
      ...(run.round > 1 ? [t('phase.round', { n: run.round })] : []),
      ...(brokeOff ? [] : [seconds < 100 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds)} s`]),
      ...(run.characters > 0 ? [t('run.characters', { n: run.characters.toLocaleString('en') })] : []),
    ],
    detail: [`${run.provider} ${run.model}`.trim(), tokens, price(run.cost)].filter(Boolean).join(' · '),
  };
}

export function phaseWords({ phase, calls }: RunPicture, now: number): string {
  switch (phase.kind) {
    case 'preparing':
      return t('phase.preparing');
    case 'hook':
      return t('phase.hook', { hook: phase.hook });
    case 'waiting':
      return t('phase.waiting');
    case 'retrying':
      return `${t('phase.retrying', { time: longTime(phase.retryAt - now) })}: ${phase.reason}`;
    case 'reasoning':
      return t('phase.reasoning');
    case 'writing':
      return t('phase.writing');
    case 'calling': {
      if (phase.asked > 0) return t('phase.asking');
      const [tool] = calls.flatMap((call) => (call.state === 'running' ? [call.tool] : []));
      return phase.running === 1 && tool !== undefined
        ? t('phase.calling', { tool })
        : t('run.calling', { n: phase.running });
    }
    case 'finished':
      if (phase.hook !== undefined) return t('phase.hookStopped', { hook: phase.hook });
      return phase.reason === 'stop' ? t('run.finished') : t(`phase.${phase.reason}`);
    case 'failed':
      return t('phase.failed');
    case 'broke-off':
      return t('phase.brokeOff');
  }
}

export function phaseTone(phase: RunPhase): Tone {
  if (phase.kind === 'failed' || phase.kind === 'broke-off') return 'bad';
  if (phase.kind === 'retrying' || (phase.kind === 'calling' && phase.asked > 0)) return 'warn';
  if (phase.kind === 'finished') return phase.reason === 'stop' ? 'good' : 'neutral';
  return 'accent';
}
