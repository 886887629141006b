import { expect, onTestFinished, test } from 'vitest';
import { createManualClock } from '../../../tests/support/manual-clock';
import type { AnswerRun, Run } from '../../contract/chat';
import { createLog, createObservable, openDatabase, systemClock } from '../foundation';
import type { ServerMetrics } from '../mcp';
import type { CallRecord } from '../tools';
import { createHistory } from '../tools/history/history';
import { createHealth } from './report';

const call = (changes: Partial<CallRecord>): CallRecord => ({
  callId: 'c',
  at: 0,
  by: 'model',
  serverId: 'files',
  serverName: 'files',
  tool: 'read',
  path: null,
  status: 'ok',
  ms: 10,
  resultBytes: 1,
  cached: false,
  approval: 'allow',
  error: null,
  ...changes,
});

const server: ServerMetrics = {
  serverId: 'files',
  name: 'files',
  state: { kind: 'ready', since: 0 },
  responseTimes: [],
  errors: [],
  lastSuccess: null,
  upSince: 0,
  restarts: 0,
};

const run = (changes: Partial<AnswerRun>): AnswerRun => ({
  kind: 'answer',
  runId: 'r1',
  path: 'A.md',
  provider: 'Claude',
  model: 'm',
  tag: 'Claude',
  phase: { kind: 'waiting', since: 0 },
  round: 1,
  startedAt: 0,
  finishedAt: null,
  characters: 0,
  usage: null,
  cost: null,
  calls: [],
  ...changes,
});

const nothingBefore = { find: () => [], callsByServer: () => new Map<string, number>() };

function watching(history: Parameters<typeof createHealth>[0]['history'] = nothingBefore) {
  const clock = createManualClock(60_000_000);
  const runs = createObservable<Run[]>([]);
  let onCall: (entry: CallRecord) => void = () => undefined;
  const health = createHealth({
    metrics: createObservable([server]),
    runs,
    history,
    onCall: (listener) => {
      onCall = listener;
      return () => undefined;
    },
    clock,
  });
  return { clock, runs, health, called: (entry: CallRecord) => onCall(entry) };
}

test('success rate and percentiles come from finished calls; denied and cached ones do not count against a server', () => {
  const { clock, health, called } = watching();
  for (const ms of [10, 20, 30, 40]) called(call({ ms }));
  called(call({ status: 'error', ms: 5 }));
  called(call({ status: 'denied', ms: 0 }));
  called(call({ cached: true, ms: 0 }));
  clock.advance(300);
  expect(health.report.get().servers[0]).toMatchObject({ successRate: 0.8, p50: 20, p95: 40, calls: 6 });
});

test('what was called before a restart counts, and is counted on from', () => {
  const database = openDatabase(':memory:', () => expect.unreachable());
  onTestFinished(() => database.close());
  const log = createLog(() => expect.unreachable());
  const before = createHistory({ database, clock: systemClock, log });
  for (const ms of [10, 20, 30, 40]) before.add({ ...call({ ms, at: 59_950_000 }), arguments: {} });
  before.add({ ...call({ cached: true }), arguments: {} });
  before.close();
  const { clock, health, called } = watching(createHistory({ database, clock: systemClock, log }));
  expect(health.report.get()).toMatchObject({
    servers: [{ calls: 4, successRate: 1, p50: 20 }],
    callsPerMinute: [4, 0],
  });
  called(call({ status: 'error' }));
  clock.advance(300);
  expect(health.report.get()).toMatchObject({
    servers: [{ calls: 5, successRate: 0.8 }],
    callsPerMinute: [4, 1],
  });
});

test('nothing happening changes nothing: no timer is left after an hour', () => {
  const { clock, health, called } = watching();
  called(call({}));
  clock.advance(61 * 60_000);
  expect(health.report.get().callsPerMinute).toEqual([]);
  expect(clock.pending()).toBe(0);
});

test('calls of different minutes are counted apart', () => {
  const { clock, health, called } = watching();
  called(call({}));
  clock.advance(60_000);
  called(call({}));
  called(call({}));
  clock.advance(300);
  expect(health.report.get().callsPerMinute).toEqual([1, 2]);
});

test('a provider has its time to the first byte, its speed and its failures', () => {
  const { clock, runs, health } = watching();
  const startedAt = clock.now();
  runs.set([run({ startedAt })]);
  clock.advance(400);
  runs.set([run({ startedAt, phase: { kind: 'writing' } })]);
  clock.advance(2_000);
  runs.set([
    run({
      startedAt,
      phase: { kind: 'finished', reason: 'stop' },
      finishedAt: clock.now(),
      usage: { inputTokens: 5, outputTokens: 100 },
    }),
    run({
      runId: 'r2',
      phase: { kind: 'failed', error: { code: 'internal', message: '', details: {} } },
      finishedAt: 1,
    }),
  ]);
  clock.advance(300);
  expect(health.report.get().providers).toEqual([
    { provider: 'Claude', runs: 2, firstByteMs: 400, tokensPerSecond: 50, failures: 1 },
  ]);
});
