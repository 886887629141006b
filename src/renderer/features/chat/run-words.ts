import type { RunPhase, RunPicture } from '../../../contract/chat';

export interface RunWords {
  readonly tone: 'live' | 'quiet' | 'bad';
  readonly phase: string;
  readonly facts: readonly string[];
  readonly detail: string;
}

/** Where a run stands, in a few words; null when there is nothing left to say. */
export function runWords(run: RunPicture, now: number): RunWords {
  const seconds = Math.max(0, ((run.finishedAt ?? now) - run.startedAt) / 1000);
  const tokens = run.usage ? `${run.usage.inputTokens + run.usage.outputTokens} tokens` : null;
  const cost = run.cost === null ? null : `$${run.cost.toFixed(run.cost < 0.01 ? 4 : 2)}`;
  return {
    tone: run.phase.kind === 'failed' ? 'bad' : run.finishedAt === null ? 'live' : 'quiet',
    phase: phaseWords(run.phase, now),
    facts: [
      ...(run.round > 1 ? [`round ${run.round}`] : []),
      seconds < 100 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds)} s`,
      ...(run.characters > 0 ? [`${run.characters.toLocaleString('en')} characters`] : []),
    ],
    detail: [`${run.provider} ${run.model}`, tokens, cost].filter(Boolean).join(' · '),
  };
}

function phaseWords(phase: RunPhase, now: number): string {
  switch (phase.kind) {
    case 'preparing':
      return 'Preparing';
    case 'waiting':
      return 'Waiting';
    case 'retrying':
      return `Trying again in ${Math.max(0, Math.ceil((phase.retryAt - now) / 1000))} s: ${phase.reason}`;
    case 'reasoning':
      return 'Thinking';
    case 'writing':
      return 'Writing';
    case 'calling':
      if (phase.asked > 0) return 'Waits for your answer';
      return phase.running === 1 ? 'Calling a tool' : `Calling ${phase.running} tools`;
    case 'finished':
      return finishedWords[phase.reason];
    case 'failed':
      return 'Failed';
  }
}

const finishedWords = {
  stop: 'Answered',
  length: 'Cut off at the length limit',
  'content-filter': 'Held back by the provider',
  rounds: 'Stopped at the round limit',
  cancelled: 'Stopped',
} as const;
