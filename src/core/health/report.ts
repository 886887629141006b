import type { Run } from '../../contract/chat';
import { isAppError } from '../../contract/errors';
import type { HealthReport, ServerHealth } from '../../contract/health';
import { type Clock, createLifetime, createObservable, type Observable } from '../foundation';
import type { ServerMetrics } from '../mcp';
import type { CallHistory, CallRecord } from '../tools';
import { createMinutes } from './minutes';
import { percentile } from './percentile';
import { createRunFigures } from './run-figures';

export interface Health {
  readonly report: Observable<HealthReport>;
  close(): Promise<void>;
}

export interface HealthParts {
  readonly metrics: Observable<ServerMetrics[]>;
  readonly runs: Observable<Run[]>;
  /** What was called before the app started. */
  readonly history: Pick<CallHistory, 'find' | 'callsByServer'>;
  /** Tells of every finished tool call; the answer stops it. */
  readonly onCall: (listener: (call: CallRecord) => void) => () => void;
  readonly clock: Clock;
}

const keptCalls = 500;

/** Nothing is known of the past where it can't be read just now. */
function readPast(history: HealthParts['history']): { calls: CallRecord[]; counts: Map<string, number> } {
  try {
    return { calls: history.find({ limit: keptCalls }).reverse(), counts: history.callsByServer() };
  } catch (error) {
    if (!isAppError(error, 'data.unavailable')) throw error;
    return { calls: [], counts: new Map() };
  }
}

/** One report of how servers, tools and providers do. It changes only when something happens. */
export function createHealth({ metrics, runs, history, onCall, clock }: HealthParts): Health {
  const life = createLifetime();
  const { calls, counts } = readPast(history);
  const minutes = createMinutes(clock);
  for (const { at } of calls) minutes.count(at);
  const figures = createRunFigures(clock);

  const make = (): HealthReport => ({
    servers: metrics.get().map((server) => serverHealth(server, calls, counts.get(server.serverId) ?? 0)),
    callsPerMinute: minutes.counts(),
    slowestTools: slowestTools(calls),
    providers: figures.list(),
  });

  const report = createObservable(make());
  let due: (() => void) | undefined;
  // Many small changes become one report.
  const refresh = () => {
    due ??= clock.after(250, () => {
      due = undefined;
      report.set(make());
    });
  };

  life.add(() => due?.());
  life.add(metrics.onChange(refresh));
  life.add(
    runs.onChange((now) => {
      if (figures.see(now.filter((run) => run.kind === 'answer'))) refresh();
    }),
  );
  life.add(
    onCall((entry) => {
      calls.push(entry);
      if (calls.length > keptCalls) calls.shift();
      if (!entry.cached) counts.set(entry.serverId, (counts.get(entry.serverId) ?? 0) + 1);
      minutes.count(clock.now());
      refresh();
    }),
  );
  life.add(minutes.onPassing(refresh));

  return { report, close: life.close };
}

function serverHealth(server: ServerMetrics, calls: readonly CallRecord[], count: number): ServerHealth {
  const own = calls.filter((call) => call.serverId === server.serverId && !call.cached);
  const answeredCalls = own.filter((call) => call.status === 'ok' || call.status === 'error');
  const times = own.filter((call) => call.status === 'ok').map((call) => call.ms);
  return {
    serverId: server.serverId,
    name: server.name,
    state: server.state,
    responseTimes: server.responseTimes.slice(-120),
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
    calls: count,
    successRate:
      answeredCalls.length === 0
        ? null
        : answeredCalls.filter((call) => call.status === 'ok').length / answeredCalls.length,
    errors: server.errors.slice(-20),
    lastSuccess: server.lastSuccess,
    upSince: server.upSince,
    restarts: server.restarts,
  };
}

function slowestTools(calls: readonly CallRecord[]): HealthReport['slowestTools'] {
  const times = Map.groupBy(
    calls.filter((call) => call.status === 'ok' && !call.cached),
    (call) => `${call.serverName}\n${call.tool}`,
  );
  return [...times.values()]
    .map((group) => ({
      server: group[0]?.serverName ?? '',
      tool: group[0]?.tool ?? '',
      p95:
        percentile(
          group.map((call) => call.ms),
          0.95,
        ) ?? 0,
      calls: group.length,
    }))
    .sort((a, b) => b.p95 - a.p95)
    .slice(0, 8);
}
