import { Square } from 'lucide-react';
import type { RunPhase, RunPicture } from '../../contract/chat';
import { IconButton, StatusDot, type Tone } from '../ui';
import { useAction, usePicture } from './core';
import { compact, longTime, noteName, price } from './format';
import { useActiveNote, useLayout } from './layout';
import { useNow } from './now';
import { t } from './text';

/** What the toolbar over the note does not say: what its answer has used, and an answer that is written elsewhere. */
export function RunStatus() {
  const runs = usePicture('chat.runs', {}) ?? [];
  const path = useActiveNote();
  const elsewhere = runs.find((run) => run.finishedAt === null && run.path !== path);
  const here = runs
    .filter((run) => run.path === path && !run.withoutAnswer)
    .toSorted((a, b) => b.startedAt - a.startedAt)[0];
  return (
    <>
      {elsewhere && <Elsewhere run={elsewhere} />}
      {here && <Used run={here} />}
    </>
  );
}

function Used({ run }: { run: RunPicture }) {
  const { usage } = run;
  if (!usage) return null;
  const tokens = t('status.tokens', {
    input: compact(usage.inputTokens),
    output: compact(usage.outputTokens),
  });
  const facts = [tokens, price(run.cost)].filter(Boolean).join(' · ');
  return (
    <span className="status-item status-facts" title={t('status.lastAnswer', { model: run.model })}>
      {facts}
    </span>
  );
}

function Elsewhere({ run }: { run: RunPicture }) {
  const now = useNow(1_000);
  const stop = useAction('chat.stop');
  const openNote = useLayout((layout) => layout.openNote);
  return (
    <span className="status-item status-run">
      <StatusDot tone={toneOf(run.phase)} moving />
      <button type="button" className="status-run-text" title={run.path} onClick={() => openNote(run.path)}>
        <span>{noteName(run.path)}</span>
        <span className="status-facts">{phaseText(run, now)}</span>
      </button>
      <IconButton
        size="s"
        side="top"
        icon={Square}
        label={t('status.stop')}
        onClick={() => stop.mutate({ runId: run.runId })}
      />
    </span>
  );
}

function phaseText(run: RunPicture, now: number): string {
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
