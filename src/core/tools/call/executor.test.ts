import { expect, test } from 'vitest';
import { catalogTool, text } from '../../../../tests/chat/support/scripted-mcp';
import { createMemorySettings } from '../../../../tests/support/in-memory';
import { createManualClock } from '../../../../tests/support/manual-clock';
import { ownPrograms } from '../../../../tests/support/test-programs';
import { outcome, signal, toolRequest } from '../../../../tests/support/tool-call';
import { AppError } from '../../../contract/errors';
import { createLog } from '../../foundation';
import { createCheckArguments } from '../request/arguments';
import type { ToolCallRequest } from '../request/request';
import { createExecutor } from './executor';

/** A house whose every part notes that the call has come by. `changes`: how often the server has another tool by then. */
function house(cache: 'ask' | 'reuse' | 'run' = 'run', changes = 0) {
  const way: string[] = [];
  const come = <T>(name: string, value: T): T => {
    way.push(name);
    return value;
  };
  let left = changes;
  const log = createLog(() => undefined);
  const execute = createExecutor({
    mcp: {
      ready: async () => undefined,
      async call() {
        come('server', null);
        if (left-- > 0) throw new AppError('tool.changed', 'Changed.', { tool: 'find' });
        return text('Here.');
      },
    },
    settings: createMemorySettings({ tools: { cache } }),
    consent: {
      isDenied: () => come('denied?', false),
      approve: async ({ tool }, args, seen) =>
        come(seen ? 'approve anew' : 'approve', { tool, arguments: args, approval: 'once' }),
      ask: async () => come('ask', { kind: 'allow', remember: 'once' } as const),
      count: async () => come('count', undefined),
    },
    limits: {
      ...{ review: () => undefined, count: () => true, counted: () => 0, resetCount: () => undefined },
      enter: async () => come('enter', () => void come('leave', null)),
      used: { get: () => ({}) } as never,
    },
    accounts: { since: () => come('look up', 0) },
    clock: createManualClock(),
    log,
    onTask: async () => undefined,
    checkArguments: createCheckArguments(ownPrograms().schemas),
    resolve: async () => come('resolve', catalogTool({ annotations: { readOnly: true } })),
    before: async () => come('before', undefined),
  });
  const run = (request: Partial<ToolCallRequest> = {}) =>
    execute(toolRequest(request), signal, () => undefined);
  return { run, way };
}

const earlier = [
  {
    ...{ serverName: 'memory', tool: 'find', arguments: { query: 'x' }, at: 1_700_000_000_000 },
    ...{ definition: catalogTool().definition, outcome: outcome() },
  },
];
const untilCounted = ['resolve', 'look up', 'approve', 'look up'];
const toServer = ['count', 'before', 'enter', 'server', 'leave'];

test('every call takes the same way', async () => {
  const { run, way } = house();
  expect((await run()).outcome.status).toBe('ok');
  expect(way).toEqual([...untilCounted, ...toServer]);
});

test('an equal result ends it before anybody is asked', async () => {
  const { run, way } = house('reuse');
  expect(await run({ earlier })).toMatchObject({ outcome: { cached: true }, approval: 'cached' });
  expect(way).toEqual(['resolve', 'look up', 'denied?']);
});

test('whether an equal result will do is asked once the call is allowed, and before it counts', async () => {
  const { run, way } = house('ask');
  await run({ earlier });
  expect(way).toEqual([...untilCounted, 'ask', ...toServer]);
});

test('a tool that has changed is agreed to anew, as often as it does; the call counts and is announced once', async () => {
  const { run, way } = house('run', 2);
  expect((await run()).outcome.status).toBe('ok');
  const again = ['resolve', 'approve anew', 'enter', 'server', 'leave'];
  expect(way).toEqual([...untilCounted, ...toServer, ...again, ...again]);
});

test('what does not fit is not even looked up', async () => {
  const { run, way } = house();
  expect((await run({ arguments: { query: 1 } })).outcome).toMatchObject({ badArguments: true });
  expect(way).toEqual(['resolve']);
});
