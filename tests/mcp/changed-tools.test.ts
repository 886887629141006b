import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ApprovalAsked } from '../../src/contract/tools';
import { createLog, openDatabase, systemClock } from '../../src/core/foundation';
import { createTools, runAlone } from '../../src/core/tools';
import { createMemorySettings } from '../support/in-memory';
import { ownPrograms } from '../support/test-programs';
import { folder, idOf, ours, until, world } from './setup';

const signal = new AbortController().signal;

const callsIn = (record: string) =>
  existsSync(record) ? readFileSync(record, 'utf8').trim().split('\n') : [];

/** A server that describes its tools as its file says when it starts, behind a hook that may take its time. */
async function house(beforeCall?: () => Promise<void>) {
  const record = join(folder(), 'calls');
  const otherRecord = join(folder(), 'calls');
  const words = join(folder(), 'words');
  const server = ours('redescribed');
  const {
    mcp,
    data,
    until: isServer,
  } = await world({
    book: { ...server, args: [...server.args, record, words] },
  });
  await isServer('book', ({ state }) => state.kind === 'ready');
  const tools = createTools({
    mcp,
    schemas: ownPrograms().schemas,
    settings: createMemorySettings({ tools: { approval: 'ask' } }),
    database: openDatabase(':memory:', () => undefined),
    clock: systemClock,
    log: createLog(() => undefined),
    ...(beforeCall && { beforeCall }),
  });
  onTestFinished(() => tools.close());
  const serverId = idOf(mcp, 'book');
  const call = (tool: string) =>
    tools.run(
      {
        ...{ callId: 'c', runId: null, path: null, by: 'model', serverId, tool },
        ...{ arguments: {}, unattended: null, earlier: [] },
      },
      signal,
      () => undefined,
    );
  const asked = async () => {
    const [question] = await until(tools.approvals, (questions) => questions.length === 1);
    if (!question) throw new Error('Nothing was asked.');
    return question;
  };
  const answer = async (remember: 'once' | 'tool') =>
    await tools.decide((await asked()).id, { kind: 'allow', remember });
  return {
    ...{ mcp, serverId, call, asked, answer, tools },
    describe: (text: string) => writeFileSync(words, text),
    /** The person's own file names another program from now on, which describes its tools with the same words. */
    replace: () =>
      writeFileSync(
        join(data, 'mcp.json'),
        JSON.stringify({ mcpServers: { book: { ...server, args: [...server.args, otherRecord, words] } } }),
      ),
    calls: () => callsIn(record),
    callsOfOther: () => callsIn(otherRecord),
  };
}

/** The second question shows what is another one. */
async function showsTheChange(asked: () => Promise<ApprovalAsked>): Promise<void> {
  await expect.poll(async () => (await asked()).why.kind).toBe('changed');
  const { why } = await asked();
  if (why.kind !== 'changed') throw new Error(why.kind);
  expect(why.before).not.toContain('Burns the book.');
  expect(why.after).toContain('Burns the book.');
}

for (const { how, remember } of [
  { how: 'always', remember: 'tool' },
  { how: 'once', remember: 'once' },
] as const) {
  test(`a tool that was allowed ${how} and comes back as another one before its call goes out is asked for again`, async () => {
    const { mcp, serverId, call, asked, answer, describe, calls } = await house(async () => {
      describe('Burns the book.');
      await mcp.restart(serverId);
    });
    const running = call('look');
    await answer(remember);
    await showsTheChange(asked);
    expect(calls()).toEqual([]);
    await answer('once');
    expect((await running).status).toBe('ok');
    expect(calls()).toEqual(['look']);
  });
}

test('a tool that becomes another one while its first question stands is asked for with the difference', async () => {
  const { mcp, serverId, call, asked, answer, describe, calls } = await house();
  const running = call('look');
  expect(await asked()).toMatchObject({ why: { kind: 'policy' } });
  describe('Burns the book.');
  await mcp.restart(serverId);
  await mcp.ready(serverId);
  await answer('once');
  await showsTheChange(asked);
  expect(calls()).toEqual([]);
  await answer('once');
  expect((await running).status).toBe('ok');
});

test('a call that is tried again after its server died goes to the tool that was agreed to, and to no other', async () => {
  const { call, asked, answer, describe, calls, tools } = await house();
  const running = call('end');
  describe('Burns the book.');
  await answer('tool');
  expect(await asked()).toMatchObject({ tool: 'end', why: { kind: 'changed' } });
  expect(calls()).toEqual(['end']);
  await tools.decide((await asked()).id, { kind: 'deny', reason: '' });
  expect((await running).status).toBe('denied');
});

test('a server that says that its tools have changed is heard before the next call goes out', async () => {
  const { mcp, serverId, call, asked, answer, describe, calls } = await house();
  const first = call('look');
  await answer('tool');
  await first;
  describe('Burns the book.');
  await mcp.call(serverId, 'retell', {}, { seen: null, timeoutMs: 10_000, longRunning: false, signal });
  void call('look');
  expect(await asked()).toMatchObject({ why: { kind: 'changed' } });
  expect(calls().filter((call) => call.startsWith('look'))).toEqual(['look']);
});

/** Before, while and after the change of the file is noticed. */
const moments = [0, 90, 100, 110, 120, 140, 170, 250, 600];

for (const remember of ['once', 'tool'] as const) {
  test.each(moments)(
    `a tool allowed (${remember}) %i ms after its server became another program reaches no other program`,
    async (ms) => {
      const { call, answer, asked, replace, calls, callsOfOther, tools } = await house();
      const running = call('look');
      await asked();
      replace();
      await new Promise((later) => setTimeout(later, ms));
      await answer(remember);
      const again = until(tools.approvals, ([question]) => question?.why.kind === 'changed');
      const first = await Promise.race([running, again]);
      expect(callsOfOther()).toEqual([]);
      if ('status' in first) return expect(calls()).toEqual(['look']);
      await answer('once');
      expect((await running).status).toBe('ok');
      expect(callsOfOther()).toEqual(['look']);
    },
  );
}

test('a tool whose server becomes another program between the yes and the call is asked for again', async () => {
  let change = (): void => undefined;
  const { mcp, call, answer, asked, replace, calls, callsOfOther } = await house(async () => {
    const origin = () => mcp.tools.get().find(({ serverName }) => serverName === 'book')?.origin;
    const before = origin();
    change();
    await until(mcp.tools, () => ![undefined, before].includes(origin()));
  });
  change = replace;
  const running = call('look');
  await answer('once');
  await expect.poll(async () => (await asked()).why.kind).toBe('changed');
  expect([calls(), callsOfOther()]).toEqual([[], []]);
  await answer('once');
  expect((await running).status).toBe('ok');
  expect([calls(), callsOfOther()]).toEqual([[], ['look']]);
});

test('what is said of a tool as it was shown is not said of what its server makes of it meanwhile', async () => {
  const { mcp, serverId, call, asked, describe, calls, tools } = await house();
  const entry = () => tools.find(serverId, 'look') ?? expect.fail('no tool');
  const { revision: seen } = entry();
  describe('Burns the book.');
  await mcp.restart(serverId);
  await expect.poll(() => entry().description).toBe('Burns the book.');
  const changed = { code: 'tool.changed', details: { tool: 'look' } };
  await expect(tools.setApproval(serverId, 'look', 'allow', seen)).rejects.toMatchObject(changed);
  const harmless = { reads: [], sends: false };
  await expect(tools.setFlow(serverId, 'look', harmless, seen)).rejects.toMatchObject(changed);
  expect(entry()).toMatchObject({ approval: 'ask', flow: { by: 'nobody' } });

  // A press of “Run” for what was there before is asked about.
  const run = (pressed: string) =>
    runAlone(tools, { path: null, by: 'person', serverId, tool: 'look', arguments: {}, pressed }, signal);
  const pressed = run(seen);
  await tools.decide((await asked()).id, { kind: 'deny', reason: '' });
  expect([(await pressed).status, calls()]).toEqual(['denied', []]);

  // What forbids is always taken; what allows, as it is now.
  await tools.setApproval(serverId, 'look', 'deny', seen);
  expect((await call('look')).status).toBe('denied');
  await tools.setApproval(serverId, 'look', 'ask', seen);
  expect((await run(entry().revision)).status).toBe('ok');
  await tools.setApproval(serverId, 'look', 'allow', entry().revision);
  await tools.setFlow(serverId, 'look', harmless, entry().revision);
  expect(entry()).toMatchObject({ approval: 'allow', flow: { by: 'person' } });
  expect((await call('look')).status).toBe('ok');
});

test('a program that takes the place of the one that was shown, and says the same, is not what was allowed', async () => {
  const { serverId, replace, tools } = await house();
  const entry = () => tools.find(serverId, 'look') ?? expect.fail('no tool');
  const { revision: seen, definition } = entry();
  replace();
  await expect.poll(() => tools.find(serverId, 'look')?.revision ?? seen).not.toBe(seen);
  expect(entry().definition).toBe(definition);
  await expect(tools.setApproval(serverId, 'look', 'allow', seen)).rejects.toMatchObject({
    code: 'tool.changed',
  });
});
