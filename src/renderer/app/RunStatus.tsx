import { Square } from 'lucide-react';
import type { RunPhase, RunPicture } from '../../contract/chat';
import { IconButton, StatusDot, type Tone } from '../ui';
import { useAction, usePicture } from './core';
import { compact, longTime, money } from './format';
import { useActiveNote } from './layout';
import { useNow } from './now';
import { t } from './text';

/** The run of the note in sight; else one that is going on anywhere. */
export function RunStatus() {
  const runs = usePicture('chat.runs', {}) ?? [];
  const path = useActiveNote();
  const live = (run: RunPicture) => run.finishedAt === null;
  const run =
    runs.find((one) => one.path === path && live(one)) ??
    runs.find(live) ??
    runs.find((one) => one.path === path);
  const now = useNow(1_000, run !== undefined && live(run));
  const stop = useAction('chat.stop');
  if (!run) return null;

  const seconds = longTime((run.finishedAt ?? Math.max(now, run.startedAt)) - run.startedAt);
  const facts = [
    run.round > 1 && t('phase.round', { n: run.round }),
    seconds,
    run.characters > 0 && t('phase.characters', { n: compact(run.characters) }),
    run.usage &&
      t('status.tokens', { input: compact(run.usage.inputTokens), output: compact(run.usage.outputTokens) }),
    run.cost !== null && money(run.cost),
  ].filter(Boolean);
  return (
    <span className="status-item status-run" title={run.path}>
      <StatusDot tone={toneOf(run.phase)} moving={live(run)} />
      <span className="status-run-text">
        <span>{phaseText(run, now)}</span>
        <span className="status-facts">{facts.join(' · ')}</span>
      </span>
      {live(run) && (
        <IconButton
          size="s"
          side="top"
          icon={Square}
          label={t('status.stop')}
          onClick={() => stop.mutate({ runId: run.runId })}
        />
      )}
    </span>
  );
}

export function phaseText(run: RunPicture, now: number): string {
  const { phase } = run;
  switch (phase.kind) {
    case 'preparing':
      return t('phase.preparing');
    case 'waiting':
      return t('phase.waiting');
    case 'retrying':
      return `${t('phase.retrying', { time: longTime(phase.retryAt - now) })}: ${phase.reason}`;
    case 'reasoning':
      return t('phase.reasoning');
    case 'writing':
      return t('phase.writing');
    case 'calling': {
      if (phase.running === 0 && phase.asked > 0) return t('phase.asking');
      const running = run.calls.filter(({ state }) => state === 'running').map(({ tool }) => tool);
      return t('phase.calling', { tool: running.join(', ') });
    }
    case 'finished':
      return phase.reason === 'stop' ? t('phase.finished') : t(`phase.${phase.reason}`);
    case 'failed':
      return `${t('phase.failed')}: ${phase.error.message}`;
  }
}

function toneOf(phase: RunPhase): Tone {
  if (phase.kind === 'failed') return 'bad';
  if (phase.kind === 'retrying' || (phase.kind === 'calling' && phase.asked > 0)) return 'warn';
  if (phase.kind === 'finished') return phase.reason === 'stop' ? 'good' : 'neutral';
  return 'accent';
}
