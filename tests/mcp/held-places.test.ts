import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/core/foundation';
import { createTools } from '../../src/core/tools';
import { createMemorySettings } from '../support/in-memory';
import { ownPrograms } from '../support/test-programs';
import { idOf, ours, world } from './setup';

test('calls that a server never answers hold up another server’s for two seconds at most', async () => {
  const slow = ours('slow');
  const { mcp, host, until } = await world({
    hanging: { ...slow, args: [...slow.args, '/dev/null'] },
    good: ours('wire'),
  });
  for (const name of ['hanging', 'good'])
    await until(name, ({ state, tools }) => state.kind === 'ready' && tools !== null);
  const tools = createTools({
    mcp,
    schemas: ownPrograms().schemas,
    settings: createMemorySettings({ tools: { approval: 'allow', callsPerNote: -1, cache: 'run' } }),
    database: openDatabase(':memory:', () => undefined),
    clock: host.clock,
    log: host.log,
  });
  const over = new AbortController();
  onTestFinished(async () => {
    over.abort();
    await tools.close();
  });
  const call = (server: string, tool: string, number: number) =>
    tools.run(
      {
        ...{ callId: `${server}-${number}`, runId: null, path: null, by: 'person' },
        ...{ serverId: idOf(mcp, server), tool, arguments: {} },
        ...{ unattended: null, earlier: [] },
      },
      over.signal,
      () => undefined,
    );
  for (let number = 0; number < 5; number++) void call('hanging', 'forever', number);
  const before = performance.now();
  const outcomes = await Promise.all([0, 1, 2, 3].map((number) => call('good', 'echo', number)));
  expect(outcomes.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok', 'ok']);
  expect(performance.now() - before).toBeLessThan(4_000);
  // Of its own calls no more than three have a place.
  expect(tools.limits.get()).toMatchObject({ running: 3, waiting: 2, atOnce: 3 });
});
