import { expect, test } from 'vitest';
import { catalogTool } from '../../../../tests/chat/support/scripted-mcp';
import { createManualClock } from '../../../../tests/support/manual-clock';
import { outcome, signal, toolRequest } from '../../../../tests/support/tool-call';
import { leaving } from '../../foundation';
import { denied, invalidArguments, unknownTool } from '../request/failures';
import type { Call, IncomingCall } from './ongoing-call';
import { settled } from './settled';

function house(inner: Call<IncomingCall>) {
  const clock = createManualClock(100);
  const errors: string[] = [];
  const execute = settled(inner, { clock, log: { error: (words) => void errors.push(words) } });
  const run = (by = signal) => execute(toolRequest(), by, () => undefined);
  return { clock, errors, run };
}
const failing = (error: Error) => house(() => Promise.reject(error));

test('what a call came to is its outcome, with how far it got', async () => {
  const tool = catalogTool();
  const { run } = house(async ({ progress }) => {
    Object.assign(progress, { tool, arguments: { query: 'edited' }, approval: 'once' });
    return outcome();
  });
  expect(await run()).toEqual({
    outcome: outcome(),
    tool,
    arguments: { query: 'edited' },
    approval: 'once',
  });
});

test('a failure is an outcome that says as much as was known by then', async () => {
  const { run, clock, errors } = house(async ({ progress }) => {
    Object.assign(progress, { tool: catalogTool(), sentAt: clock.now() });
    clock.advance(20);
    throw unknownTool('find', []);
  });
  const { outcome: failed } = await run();
  expect(failed).toMatchObject({ status: 'error', ms: 20, at: 100, definition: catalogTool().definition });
  expect(failed.badArguments).toBeUndefined();
  expect(errors).toEqual([]);
});

test('arguments that do not fit are told apart', async () => {
  const { run } = failing(invalidArguments('find', ['query is missing']));
  expect((await run()).outcome).toMatchObject({ status: 'error', ms: 0, badArguments: true });
});

test('a fault of ours is logged, and not told to a model', async () => {
  const { run, errors } = failing(new Error('undefined is not a function'));
  expect(JSON.stringify((await run()).outcome.parts)).not.toContain('undefined');
  expect(errors).toEqual(['tool call failed']);
});

test('who denied it is how it was decided; only a person’s reason is a refusal', async () => {
  expect(await failing(denied('find', 'person', 'Not now.')).run()).toMatchObject({
    outcome: { status: 'denied' },
    approval: 'person',
    refusal: 'Not now.',
  });
  const byPolicy = await failing(denied('find', 'paused', 'All tools are paused.')).run();
  expect(byPolicy).toMatchObject({ outcome: { status: 'denied' }, approval: 'paused' });
  expect(byPolicy.refusal).toBeUndefined();
});

test('whatever a stopped call fails with, it was stopped', async () => {
  const stop = new AbortController();
  const { run } = house(async () => {
    stop.abort();
    throw denied('find', 'person', '');
  });
  expect(await run(stop.signal)).toMatchObject({ outcome: { status: 'cancelled' }, approval: 'none' });
});

test.each([
  { isTask: true, reason: leaving, status: 'interrupted' },
  { isTask: false, reason: leaving, status: 'cancelled' },
  { isTask: true, reason: undefined, status: 'cancelled' },
])('a call that is left: $isTask, $status', async ({ isTask, reason, status }) => {
  const stop = new AbortController();
  const { run } = house(async ({ progress }) => {
    progress.isTask = isTask;
    stop.abort(reason);
    throw new Error('gone');
  });
  expect((await run(stop.signal)).outcome.status).toBe(status);
});

test('what a call leaves behind is ended with it, and the caller’s signal lets go of it', async () => {
  const signals: AbortSignal[] = [];
  const { run } = house(async (_call, life) => {
    expect(life.aborted).toBe(false);
    signals.push(life);
    return outcome();
  });
  await run();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});
