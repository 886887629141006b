import { expect, onTestFinished, test } from 'vitest';
import { createLog, openDatabase, systemClock } from '../../src/core/foundation';
import type { Host } from '../../src/core/host';
import { createSettings } from '../../src/core/settings';
import { type CallStep, createTools } from '../../src/core/tools';
import { ownPrograms } from '../support/test-programs';
import { everything, idOf, memory, world } from './setup';

const signal = new AbortController().signal;
const settingsFile: Host['settingsFile'] = { path: 'memory', read: () => ({}), write: () => undefined };

async function house() {
  const { mcp, until } = await world({ everything, memory });
  await until('everything', ({ state }) => state.kind === 'ready');
  await until('memory', ({ state }) => state.kind === 'ready');
  const log = createLog(() => undefined);
  const settings = createSettings({ settingsFile, log, onTrouble: () => undefined });
  settings.change({ tools: { approval: 'allow' } });
  const tools = createTools({
    mcp,
    schemas: ownPrograms().schemas,
    settings,
    database: openDatabase(':memory:', () => undefined),
    clock: systemClock,
    log,
  });
  onTestFinished(() => tools.close());
  const steps: CallStep[] = [];
  const run = (tool: string, args: Record<string, unknown>, only: readonly string[] | null = null) =>
    tools.run(
      {
        callId: 'c',
        runId: null,
        path: null,
        by: 'model',
        serverId: 'interlinear',
        tool,
        arguments: args,
        unattended: null,
        earlier: [],
        only,
      },
      signal,
      (step) => steps.push(step),
    );
  const said = async (...args: Parameters<typeof run>) => {
    const [part] = (await run(...args)).parts;
    return part?.kind === 'text' ? part.text : '';
  };
  return { mcp, settings, tools, run, said, steps };
}

test('tools that weigh too much are offered through a search, which finds and calls them', async () => {
  const { mcp, settings, tools, run, said } = await house();
  // The same tools are little for a model that takes much, and much for one that takes little.
  expect(tools.offered(null, 1_000_000).length).toBeGreaterThan(15);
  expect(tools.offered(null, 10_000)).toHaveLength(2);
  settings.change({ tools: { searchShare: 100 } });
  expect(tools.offered(null, 1_000).length).toBeGreaterThan(15);
  settings.change({ tools: { searchShare: 1 } });
  expect(tools.offered(null, null).map(({ modelName }) => modelName)).toEqual(['find_tools', 'call_tool']);
  expect(tools.offered(['everything/echo'], null).map(({ name }) => name)).toEqual(['echo']);

  const [first] = JSON.parse(await said('find_tools', { query: 'create relations between entities' }));
  expect(first.tool).toMatch(/^memory__create_/);
  expect(first.inputSchema).toHaveProperty('type', 'object');
  expect(await said('find_tools', { query: '' })).toContain('everything__echo');
  expect(await said('find_tools', { query: 'weigh a planet' })).toBe('No tool does that.');

  const outcome = await run('call_tool', { tool: 'everything__echo', arguments: { message: 'hi' } });
  expect(outcome).toMatchObject({ status: 'ok', parts: [{ kind: 'text', text: 'Echo: hi' }] });
  expect(tools.history.find({ limit: 5 })).toMatchObject([
    { serverId: idOf(mcp, 'everything'), tool: 'echo', status: 'ok' },
  ]);
});

test('a call that was found by the search is told as it was made: by its outer arguments, with what the person changed', async () => {
  const { settings, tools, run, steps } = await house();
  const call = { tool: 'everything__echo', arguments: { message: 'hi' } };
  await run('call_tool', call);
  expect(steps.filter(({ kind }) => kind === 'running')).toEqual([{ kind: 'running', arguments: call }]);
  settings.change({ tools: { approval: 'ask' } });
  const asked = run('call_tool', call);
  await expect.poll(() => tools.approvals.get()).toHaveLength(1);
  const id = tools.approvals.get()[0]?.id ?? '';
  await tools.decide(id, { kind: 'allow', remember: 'once', arguments: { message: 'changed' } });
  expect(await asked).toMatchObject({ status: 'ok' });
  expect(steps.at(-1)).toEqual({
    kind: 'running',
    arguments: { tool: 'everything__echo', arguments: { message: 'changed' } },
  });
});

test('the search knows no way around what a note offers, a wrong name, or the policy', async () => {
  const { settings, run, said } = await house();
  expect(await said('find_tools', { query: 'echo' }, ['memory'])).toBe('No tool does that.');
  const call = { tool: 'everything__echo', arguments: { message: 'hi' } };
  expect(await run('call_tool', call, ['memory'])).toMatchObject({ status: 'error' });
  expect(await said('call_tool', { tool: 'everything__ecco' })).toContain('everything__echo');
  expect(await said('call_tool', { tool: 'everything__echo', arguments: {} })).toContain('message');
  settings.change({ tools: { approval: 'deny' } });
  expect(await run('call_tool', call)).toMatchObject({ status: 'denied' });
});

test('the history is filtered by who asked and since when, and cleared', async () => {
  const { tools, run } = await house();
  await run('call_tool', { tool: 'everything__echo', arguments: { message: 'a' } });
  const [entry] = tools.history.find({ limit: 1 });
  expect(tools.history.find({ by: 'person', limit: 5 })).toEqual([]);
  expect(tools.history.find({ by: 'model', since: entry?.at ?? 0, limit: 5 })).toHaveLength(1);
  expect(tools.history.find({ since: (entry?.at ?? 0) + 1, limit: 5 })).toEqual([]);
  await tools.history.clear({});
  expect(tools.history.find({ limit: 5 })).toEqual([]);
});
