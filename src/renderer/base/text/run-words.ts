import type { AnswerRun, HookBefore, NoteRun, Run, RunCall } from '../../../contract/chat';
import type { Tone } from '../../ui';
import { labelled, longTime, price } from './format';
import { t } from './text';

export function isLive<R extends Run>(run: R | null | undefined): run is R {
  return run != null && run.finishedAt === null;
}

export function isCallLive({ state }: Pick<RunCall, 'state'>): boolean {
  return state === 'asked' || state === 'running';
}

export interface RunWords {
  readonly tone: 'live' | 'quiet' | 'bad';
  readonly phase: string;
  readonly facts: readonly string[];
  readonly detail: string;
}

/** Where a run stands, in a few words; null when there is nothing left to say. */
export function runWords(run: NoteRun, now: number): RunWords {
  const seconds = Math.max(0, ((run.finishedAt ?? now) - run.startedAt) / 1000);
  const time = t('time.s', { n: seconds < 100 ? seconds.toFixed(1) : Math.round(seconds) });
  const tone = run.finishedAt === null ? 'live' : 'quiet';
  const phase = phaseWords(run, now);
  if (run.kind === 'hook') return { tone, phase, facts: [time], detail: '' };
  const brokeOff = run.phase.kind === 'broke-off';
  const tokens = run.usage
    ? t('run.tokens', { count: run.usage.inputTokens + run.usage.outputTokens })
    : null;
  return {
    tone: brokeOff || run.phase.kind === 'failed' ? 'bad' : tone,
    phase,
    facts: [
      ...(run.round > 1 ? [t('phase.round', { n: run.round })] : []),
      ...(brokeOff ? [] : [time]),
      ...(run.characters > 0 ? [t('run.characters', { count: run.characters })] : []),
    ],
    detail: [`${run.provider} ${run.model}`.trim(), tokens, price(run.cost)].filter(Boolean).join(' · '),
  };
}

export function phaseWords(run: Run, now: number): string {
  switch (run.kind) {
    case 'answer':
      return answerWords(run, now);
    case 'hook':
      return hookWords(run);
    case 'call':
      return run.call.state === 'asked' ? t('phase.asking') : t('phase.calling', { tool: run.call.tool });
  }
}

function hookWords({ hook, finishedAt }: HookBefore): string {
  if (finishedAt === null) return hook === null ? t('phase.preparing') : t('phase.hook', { hook });
  return hook === null ? t('phase.cancelled') : t('phase.hookStopped', { hook });
}

function answerWords({ phase, calls }: AnswerRun, now: number): string {
  switch (phase.kind) {
    case 'preparing':
      return t('phase.preparing');
    case 'waiting':
      return t('phase.waiting');
    case 'retrying':
      return labelled(
        t('phase.retrying', { time: longTime(phase.retryAt - now) }),
        t('error.provider.why', { message: phase.reason, what: t(`providers.checkFailed.${phase.failure}`) }),
      );
    case 'reasoning':
      return t('phase.reasoning');
    case 'writing':
      return t('phase.writing');
    case 'calling': {
      if (phase.asked > 0) return t('phase.asking');
      const [tool] = calls.flatMap((call) => (call.state === 'running' ? [call.tool] : []));
      return phase.running === 1 && tool !== undefined
        ? t('phase.calling', { tool })
        : t('run.calling', { count: phase.running });
    }
    case 'finished':
      return phase.reason === 'stop' ? t('run.finished') : t(`phase.${phase.reason}`);
    case 'failed':
      return t('phase.failed');
    case 'broke-off':
      return t('phase.brokeOff');
  }
}

export function runTone(run: Run): Tone {
  if (run.kind === 'hook') return run.finishedAt === null ? 'accent' : 'neutral';
  if (run.kind === 'call') return run.call.state === 'asked' ? 'warn' : 'accent';
  const { phase } = run;
  if (phase.kind === 'failed' || phase.kind === 'broke-off') return 'bad';
  if (phase.kind === 'retrying' || (phase.kind === 'calling' && phase.asked > 0)) return 'warn';
  if (phase.kind === 'finished') return phase.reason === 'stop' ? 'good' : 'neutral';
  return 'accent';
}
