import { expect, test } from 'vitest';
import { catalogTool, text } from '../../../../tests/chat/support/scripted-mcp';
import { createMemorySettings } from '../../../../tests/support/in-memory';
import { createManualClock } from '../../../../tests/support/manual-clock';
import { resolvedCall, signal } from '../../../../tests/support/tool-call';
import type { McpCallResult } from '../../mcp';
import type { LeftTask } from '../tasks/tasks';
import type { createServerCall } from './call-server';
import { toServer } from './to-server';

type ServerCall = ReturnType<typeof createServerCall>;

function house(work: (hooks: Parameters<ServerCall>[3]) => Promise<McpCallResult>) {
  const clock = createManualClock();
  const tasks: LeftTask[] = [];
  const call = toServer({
    callServer: (_tool, _args, _signal, hooks) => {
      clock.advance(30);
      return work(hooks);
    },
    settings: createMemorySettings({ tools: { resultLimit: 2000 } }),
    clock,
    async onTask(task) {
      await Promise.resolve();
      tasks.push(task);
    },
  });
  return { call, tasks, clock };
}

test('what the server answers is the outcome, with the time that it took', async () => {
  const { call, clock } = house(async () => text('Here.'));
  const { call: made, steps } = resolvedCall();
  clock.advance(500);
  expect(await call(made, signal)).toMatchObject({
    ...{ callId: 'call-1', status: 'ok', parts: [{ kind: 'text', text: 'Here.' }] },
    ...{ ms: 30, at: 1, cached: false, truncated: false, definition: made.tool.definition },
  });
  expect(steps).toEqual([{ kind: 'running', arguments: { query: 'x' } }]);
});

test('an error of the tool is one, and what is above the limit says so', async () => {
  const { call } = house(async () => ({ ...text('x'.repeat(2001)), isError: true }));
  expect(await call(resolvedCall().call, signal)).toMatchObject({ status: 'error', truncated: true });
});

test('what a result says of itself is kept for the tool’s view only', async () => {
  const { call } = house(async () => ({ ...text('Here.'), meta: { a: 1 } }));
  const viewed = catalogTool({ viewUri: 'ui://view' });
  expect((await call(resolvedCall({}, viewed).call, signal)).meta).toEqual({ a: 1 });
  expect((await call(resolvedCall().call, signal)).meta).toBeUndefined();
});

test('a task is kept before anybody hears of it', async () => {
  const handle = { taskId: 't', createdAt: 5, ttlMs: null, pollMs: null };
  const { call, tasks } = house(async ({ onTask, onProgress }) => {
    onProgress({ progress: 1, total: null, message: '' });
    await onTask(handle);
    return text('Here.');
  });
  const { call: made, steps } = resolvedCall();
  made.progress.approval = 'once';
  const onStep = (step: (typeof steps)[number]) => {
    if (step.kind === 'task') expect(tasks).toHaveLength(1);
    steps.push(step);
  };
  await call({ ...made, onStep }, signal);
  expect(steps.map(({ kind }) => kind)).toEqual(['running', 'progress', 'task']);
  expect(tasks).toMatchObject([{ callId: 'call-1', tool: 'find', approval: 'once', task: handle }]);
  expect(made.progress.isTask).toBe(true);
});
