import type { AnswerRun } from '../../contract/chat';
import type { HealthReport } from '../../contract/health';
import type { Clock } from '../foundation';
import { percentile } from './percentile';

type ProviderFigures = HealthReport['providers'][number];

interface Seen {
  firstByteAt: number | null;
  ended: boolean;
}

/** Latency and speed of providers, read off the states of runs. */
export function createRunFigures(clock: Clock): {
  /** True where a figure has changed. */
  see(runs: readonly AnswerRun[]): boolean;
  list(): ProviderFigures[];
} {
  const states = new Map<string, Seen>();
  const ended = new Map<string, { firstBytes: number[]; speeds: number[]; runs: number; failures: number }>();

  function close(run: AnswerRun, { firstByteAt }: Seen): void {
    const figures = ended.get(run.provider) ?? { firstBytes: [], speeds: [], runs: 0, failures: 0 };
    ended.set(run.provider, figures);
    figures.runs++;
    if (run.phase.kind === 'failed') figures.failures++;
    if (firstByteAt === null || run.finishedAt === null) return;
    keep(figures.firstBytes, firstByteAt - run.startedAt);
    const seconds = (run.finishedAt - firstByteAt) / 1000;
    if (run.usage && seconds > 0.05) keep(figures.speeds, run.usage.outputTokens / seconds);
  }

  return {
    see(runs) {
      let changed = false;
      for (const run of runs) {
        const state = states.get(run.runId) ?? { firstByteAt: null, ended: false };
        states.set(run.runId, state);
        if (state.ended) continue;
        if (state.firstByteAt === null && (run.phase.kind === 'writing' || run.phase.kind === 'reasoning')) {
          state.firstByteAt = clock.now();
        }
        if (run.finishedAt !== null) {
          state.ended = true;
          close(run, state);
          changed = true;
        }
      }
      const live = new Set(runs.map((run) => run.runId));
      for (const runId of states.keys()) if (!live.has(runId)) states.delete(runId);
      return changed;
    },
    list: () =>
      [...ended].map(([provider, { firstBytes, speeds, runs, failures }]) => ({
        provider,
        runs,
        firstByteMs: percentile(firstBytes, 0.5),
        tokensPerSecond: percentile(speeds, 0.5),
        failures,
      })),
  };
}

function keep(values: number[], value: number): void {
  values.push(value);
  if (values.length > 50) values.shift();
}
