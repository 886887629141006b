import { Square } from 'lucide-react';
import type { AnswerRun, Run } from '../../contract/chat';
import { useConnected } from '../base/core/connected';
import { useAction, useCoreState } from '../base/core/core';
import { useNow } from '../base/core/now';
import { useActiveNote, useLayout } from '../base/layout/layout';
import { compact, longTime, noteName, price } from '../base/text/format';
import { phaseWords, runTone } from '../base/text/run-words';
import { t } from '../base/text/text';
import { IconButton, StatusDot } from '../ui';

/** What the toolbar over the note does not say: what its answer has used, and an answer that is written elsewhere. */
export function RunStatus() {
  const runs = useCoreState('chat.runs', {}) ?? [];
  const path = useActiveNote();
  const connected = useConnected();
  const elsewhere = runs.find((run) => run.finishedAt === null && run.path !== path);
  const here = runs
    .filter((run) => run.kind === 'answer')
    .filter((run) => run.path === path)
    .toSorted((a, b) => b.startedAt - a.startedAt)[0];
  return (
    <>
      {connected && elsewhere && <Elsewhere run={elsewhere} />}
      {here && <Used run={here} />}
      {path !== null && <CallsLeft path={path} />}
      {connected && <Waiting active={path} />}
    </>
  );
}

/** An answer elsewhere that is tried again by itself. */
function Waiting({ active }: { active: string | null }) {
  const waiting = useCoreState('chat.waiting', {}) ?? [];
  const now = useNow(1_000, waiting.length > 0);
  const openNote = useLayout((layout) => layout.openNote);
  const next = waiting.find(({ path }) => path !== active);
  if (!next) return null;
  return (
    <span className="status-item status-run">
      <button type="button" className="status-run-text" title={next.path} onClick={() => openNote(next.path)}>
        <span>{noteName(next.path)}</span>
        <span className="status-facts">
          {t('answer.retriesIn', { time: longTime(Math.max(1_000, next.retryAt - now)) })}
        </span>
      </button>
    </span>
  );
}

function Used({ run }: { run: AnswerRun }) {
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

/** How many calls the note may still make, once it has made some. */
function CallsLeft({ path }: { path: string }) {
  const limits = useCoreState('tools.limits', {});
  const calls = limits?.notes.find((note) => note.path === path)?.calls ?? 0;
  if (!limits || calls === 0 || limits.callsPerNote < 0) return null;
  const rest = Math.max(0, limits.callsPerNote - calls);
  return (
    <span
      className={rest === 0 ? 'status-item status-bad' : 'status-item status-facts'}
      title={t('status.callsLeftText', { calls, most: limits.callsPerNote })}
    >
      {t('status.callsLeft', { count: rest, most: limits.callsPerNote })}
    </span>
  );
}

function Elsewhere({ run }: { run: Run }) {
  const now = useNow(1_000);
  const stop = useAction('chat.stop');
  const openNote = useLayout((layout) => layout.openNote);
  return (
    <span className="status-item status-run">
      <StatusDot tone={runTone(run)} moving />
      <button type="button" className="status-run-text" title={run.path} onClick={() => openNote(run.path)}>
        <span>{noteName(run.path)}</span>
        <span className="status-facts">{phaseWords(run, now)}</span>
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
