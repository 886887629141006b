import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { AppError } from '../../src/contract/errors';
import { createLog, openDatabase } from '../../src/core/foundation';
import { bundledId, type CatalogTool } from '../../src/core/mcp';
import { createTools, type ToolCallRequest } from '../../src/core/tools';
import { createMemorySettings } from '../support/in-memory';
import { createManualClock } from '../support/manual-clock';
import { ownPrograms } from '../support/test-programs';
import { until } from '../support/until';
import { byName } from './support/house';
import { catalogTool, createScriptedMcp, type ToolWork, text } from './support/scripted-mcp';

function house(
  tools: CatalogTool[],
  work: Record<string, ToolWork>,
  options: { settings?: Record<string, unknown>; databasePath?: string } = {},
) {
  const clock = createManualClock();
  const settings = createMemorySettings(options.settings);
  const database = openDatabase(options.databasePath ?? ':memory:', () => undefined);
  const { mcp, made } = createScriptedMcp(tools, work);
  const log = createLog(() => undefined);
  const door = createTools({
    mcp,
    schemas: ownPrograms().schemas,
    settings,
    database,
    clock,
    log,
    identity: byName,
  });
  let number = 0;
  const call = (more: Partial<ToolCallRequest> = {}, signal = new AbortController().signal) =>
    door.run(
      {
        callId: `call-${++number}`,
        runId: null,
        path: 'A.md',
        by: 'model',
        serverId: 'server-1',
        tool: 'find',
        arguments: { query: 'x' },
        unattended: null,
        earlier: [],
        ...more,
      },
      signal,
      () => undefined,
    );
  return { clock, settings, database, mcp, made, door, call };
}
const asks = catalogTool({ approval: null });
const found = { find: () => text('found') };
const said = (outcome: { parts: readonly { kind: string }[] }) => JSON.stringify(outcome.parts);

test('a call waits for a yes, shows everything, and is made once', async () => {
  const { door, call, made } = house([asks], found);
  const running = call();
  await until(() => door.approvals.get().length === 1);
  const [question] = door.approvals.get();
  expect(question).toMatchObject({
    serverName: 'memory',
    tool: 'find',
    arguments: { query: 'x' },
    path: 'A.md',
  });
  expect(made).toEqual([]);
  await door.decide(question?.id ?? '', { kind: 'allow', remember: 'once' });
  expect((await running).status).toBe('ok');
  expect(made).toHaveLength(1);
  expect(door.approvals.get()).toEqual([]);
  expect(door.grants.get()).toEqual([]);
});

test.each(['note', 'tool', 'server'] as const)(
  'a yes for the %s in a note that allows much leaves the questions of other notes to the person',
  async (remember) => {
    const asking = catalogTool({ approval: 'ask' });
    const other = catalogTool({ approval: null, serverId: 'server-2', serverName: 'second', name: 'send' });
    const { door, call, made } = house([asking, other], { ...found, send: () => text('sent') });
    const stop = new AbortController();
    const foreign = [
      call({ path: 'B.md', serverId: 'server-2', tool: 'send', arguments: {} }, stop.signal),
      call({ path: 'C.md', serverId: 'server-2', tool: 'send', approval: 'ask', arguments: {} }, stop.signal),
    ];
    await until(() => door.approvals.get().length === 2);
    const own = call({ approval: 'allow' });
    await until(() => door.approvals.get().length === 3);
    const mine = door.approvals.get().find(({ path }) => path === 'A.md');
    await door.decide(mine?.id ?? '', { kind: 'allow', remember });
    expect((await own).status).toBe('ok');
    expect(made).toHaveLength(1);
    expect(door.approvals.get().map(({ path }) => path)).toEqual(['B.md', 'C.md']);
    stop.abort();
    await Promise.allSettled(foreign);
    expect(made).toHaveLength(1);
  },
);

test('what is called is what was shown, whatever becomes of the request meanwhile', async () => {
  const { door, call, made } = house([asks], found);
  const given = { query: 'shown', nested: { to: ['here'] } };
  const running = call({ arguments: given });
  await until(() => door.approvals.get().length === 1);
  const [question] = door.approvals.get();
  expect(question?.arguments).toEqual({ query: 'shown', nested: { to: ['here'] } });
  given.query = 'swapped';
  given.nested.to.push('there');
  await door.decide(question?.id ?? '', { kind: 'allow', remember: 'once' });
  expect((await running).status).toBe('ok');
  expect(made).toMatchObject([{ args: { query: 'shown', nested: { to: ['here'] } } }]);
});

test('a tool that says that it only reads is asked for all the same', async () => {
  const { door, call, made } = house(
    [{ ...asks, annotations: { readOnly: true, destructive: false } }],
    found,
  );
  const running = call();
  await until(() => door.approvals.get().length === 1);
  expect(made).toEqual([]);
  await door.decide(door.approvals.get()[0]?.id ?? '', { kind: 'deny', reason: '' });
  expect((await running).status).toBe('denied');
});

test('a no goes to the model with its reason', async () => {
  const { door, call, made } = house([asks], found);
  const running = call();
  await until(() => door.approvals.get().length === 1);
  await door.decide(door.approvals.get()[0]?.id ?? '', { kind: 'deny', reason: 'Not that one.' });
  const outcome = await running;
  expect(outcome.status).toBe('denied');
  expect(said(outcome)).toContain('Not that one.');
  expect(made).toEqual([]);
});

test('wrong arguments never reach the person or the server', async () => {
  const { door, call, made } = house([asks], found);
  const outcome = await call({ arguments: { query: 7 } });
  expect(outcome.status).toBe('error');
  expect(said(outcome)).toContain('query');
  expect([door.approvals.get(), made]).toEqual([[], []]);
});

test.each(['once', 'note', 'tool', 'server'] as const)(
  'arguments edited at the question that do not fit the tool leave it open, and nothing is allowed: %s',
  async (remember) => {
    const { door, call, made } = house([asks], found);
    const running = call();
    await until(() => door.approvals.get().length === 1);
    const open = door.approvals.get();
    const id = open[0]?.id ?? '';
    const allow = (query: string | number) =>
      door.decide(id, { kind: 'allow', remember, arguments: { query } });
    await expect(allow(1)).rejects.toThrow(/do not fit the tool “find”.*query/);
    expect([door.approvals.get(), door.grants.get(), made]).toEqual([open, [], []]);
    await allow('y');
    expect((await running).status).toBe('ok');
    expect(made.map(({ args }) => args)).toEqual([{ query: 'y' }]);
    expect(door.history.find({ limit: 2 })).toMatchObject([{ status: 'ok', arguments: '{"query":"y"}' }]);
  },
);

test('edited arguments are held against the tool as it is when they are allowed', async () => {
  const { door, call, mcp, made } = house([asks], found);
  const running = call();
  await until(() => door.approvals.get().length === 1);
  const id = door.approvals.get()[0]?.id ?? '';
  const inputSchema = { type: 'object', properties: { query: { type: 'number' } } };
  mcp.tools.set([{ ...asks, inputSchema, definition: 'bbbb' }]);
  const edited = { kind: 'allow', remember: 'once', arguments: { query: 'y' } } as const;
  await expect(door.decide(id, edited)).rejects.toThrow(/do not fit/);
  expect(door.approvals.get()).toHaveLength(1);
  await door.decide(id, { kind: 'deny', reason: '' });
  expect((await running).status).toBe('denied');
  expect(made).toEqual([]);
});

test('a stopped call takes its question away', async () => {
  const { door, call } = house([asks], found);
  const stop = new AbortController();
  const running = call({}, stop.signal);
  await until(() => door.approvals.get().length === 1);
  stop.abort();
  expect((await running).status).toBe('cancelled');
  expect(door.approvals.get()).toEqual([]);
});

test('“always” answers the other questions about the same tool too, and holds after a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tools-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const databasePath = join(folder, 'interlinear.db');
  const first = house([asks], found, { databasePath });
  const running = [first.call(), first.call(), first.call()];
  await until(() => first.door.approvals.get().length === 3);
  await first.door.decide(first.door.approvals.get()[1]?.id ?? '', { kind: 'allow', remember: 'tool' });
  expect((await Promise.all(running)).map((outcome) => outcome.status)).toEqual(['ok', 'ok', 'ok']);
  await first.door.close();
  await first.database.close();

  const second = house([asks], found, { databasePath });
  expect((await second.call()).status).toBe('ok');
  const allowedBy = second.door.history.find({ limit: 10 }).map((entry) => entry.approval);
  expect(allowedBy.sort()).toEqual(['grant', 'once', 'once', 'tool']);
  await second.database.close();
});

test('a tool that changed after “always” is asked for again, with what it was and is', async () => {
  const { door, call, mcp } = house([asks], found);
  const running = call();
  await until(() => door.approvals.get().length === 1);
  await door.decide(door.approvals.get()[0]?.id ?? '', { kind: 'allow', remember: 'server' });
  await running;
  mcp.tools.set([{ ...asks, description: 'Sends things away.', definition: 'bbbb' }]);
  const again = call();
  await until(() => door.approvals.get().length === 1);
  const why = door.approvals.get()[0]?.why;
  expect(why).toMatchObject({ kind: 'changed' });
  expect(JSON.stringify(why)).toContain('Finds things.');
  expect(JSON.stringify(why)).toContain('Sends things away.');
  await door.decide(door.approvals.get()[0]?.id ?? '', { kind: 'allow', remember: 'tool' });
  await again;
  expect((await call()).status).toBe('ok');
});

test('“always for this server” holds for the tools as they were when the question was drawn', async () => {
  const other = catalogTool({ approval: null, name: 'send', definition: 'harmless' });
  const { door, call, mcp } = house([asks, other], { ...found, send: () => text('sent') });
  const running = call();
  await until(() => door.approvals.get().length === 1);
  const wiped = catalogTool({ approval: null, name: 'wipe', definition: 'new' });
  mcp.tools.set([asks, { ...other, definition: 'harmful' }, wiped]);
  await door.decide(door.approvals.get()[0]?.id ?? '', { kind: 'allow', remember: 'server' });
  expect((await running).status).toBe('ok');
  void call({ tool: 'send' });
  void call({ tool: 'wipe' });
  await until(() => door.approvals.get().length === 2);
  expect(door.approvals.get().map(({ why }) => why.kind)).toEqual(['changed', 'policy']);
});

test('a tool that changes while its question stands is asked for again, not called', async () => {
  const { door, call, mcp, made } = house([asks], found);
  const running = call();
  await until(() => door.approvals.get().length === 1);
  const [first] = door.approvals.get();
  mcp.tools.set([{ ...asks, description: 'Sends things away.', definition: 'bbbb' }]);
  await door.decide(first?.id ?? '', { kind: 'allow', remember: 'tool' });
  await until(() => door.approvals.get().length === 1 && door.approvals.get()[0]?.id !== first?.id);
  expect(made).toEqual([]);
  expect(JSON.stringify(door.approvals.get()[0]?.why)).toContain('Sends things away.');
  await door.decide(door.approvals.get()[0]?.id ?? '', { kind: 'allow', remember: 'once' });
  expect((await running).status).toBe('ok');
  expect(made).toHaveLength(1);
});

test('“allow” in the configuration holds for what the tool was at first use', async () => {
  const { door, call, mcp } = house([catalogTool()], found);
  expect((await call()).status).toBe('ok');
  mcp.tools.set([catalogTool({ origin: 'another command' })]);
  void call();
  await until(() => door.approvals.get().length === 1);
  expect(door.approvals.get()[0]?.why.kind).toBe('changed');
});

test('what was allowed can be taken back', async () => {
  const { door, call } = house([asks], found);
  const running = call();
  await until(() => door.approvals.get().length === 1);
  await door.decide(door.approvals.get()[0]?.id ?? '', { kind: 'allow', remember: 'tool' });
  await running;
  door.revoke(door.grants.get()[0]?.id ?? '');
  void call();
  await until(() => door.approvals.get().length === 1);
});

test('the catalog says what a call would meet, by which “always”, and when that no longer holds', async () => {
  const { door, call, mcp } = house([asks], found);
  const entry = () => door.catalog.get()[0];
  const allow = async (remember: 'note' | 'tool' | 'server') => {
    const running = call();
    await until(() => door.approvals.get().length === 1);
    await door.decide(door.approvals.get()[0]?.id ?? '', { kind: 'allow', remember });
    await running;
  };
  expect(entry()).toMatchObject({ approval: 'ask', changed: false, grants: [] });
  await allow('note');
  expect(entry()).toMatchObject({
    approval: 'ask',
    grants: [{ scope: 'note', path: 'A.md', holds: true }],
  });
  door.revoke(door.grants.get()[0]?.id ?? '');
  await allow('server');
  expect(entry()).toMatchObject({ approval: 'allow', grants: [{ scope: 'server', holds: true }] });
  mcp.tools.set([{ ...asks, definition: 'another' }]);
  expect(entry()).toMatchObject({ approval: 'ask', changed: true, grants: [{ holds: false }] });
  await allow('tool');
  expect(entry()).toMatchObject({ approval: 'allow', changed: false });
  expect(entry()?.grants).toHaveLength(2);
  // What is said of the tool itself takes the place of every "always" that covers it.
  await door.setApproval('server-1', 'find', 'ask', '');
  expect(entry()).toMatchObject({ approval: 'ask', changed: false, grants: [] });
});

test('why a call was denied is a code in the history; only a person’s reason is in their words', async () => {
  const { door, call, settings } = house([asks], found);
  const running = call();
  await until(() => door.approvals.get().length === 1);
  await door.decide(door.approvals.get()[0]?.id ?? '', { kind: 'deny', reason: 'Not this folder' });
  await running;
  expect(door.history.find({ limit: 1 })).toMatchObject([
    { status: 'denied', approval: 'person', error: 'Not this folder' },
  ]);
  await call({ unattended: { allow: [] } });
  expect(door.history.find({ limit: 1 })).toMatchObject([{ approval: 'unattended' }]);
  settings.change({ tools: { approval: 'deny' } });
  await call();
  expect(door.history.find({ limit: 1 })).toMatchObject([{ approval: 'never-here' }]);
});

test('where nobody can be asked, what is not listed is denied and what is listed runs', async () => {
  const { call, door } = house([asks], found);
  expect((await call({ unattended: { allow: ['files/*'] } })).status).toBe('denied');
  expect((await call({ unattended: { allow: ['memory/find'] } })).status).toBe('ok');
  expect(door.approvals.get()).toEqual([]);
});

test('one call of several failing does not fail the others, and each says what happened', async () => {
  const { call } = house([catalogTool()], {
    find: ({ query }) => {
      if (query === 'slow')
        throw new AppError('tool.timed-out', 'Took longer than 30 s.', { tool: 'find', afterMs: 30_000 });
      if (query === 'bug') throw new TypeError('secret inside');
      return text('found');
    },
  });
  const outcomes = await Promise.all(
    ['a', 'slow', 'bug', 'b'].map((query) => call({ arguments: { query } })),
  );
  expect(outcomes.map((outcome) => outcome.status)).toEqual(['ok', 'error', 'error', 'ok']);
  expect(said(outcomes[1]!)).toContain('30 s');
  expect(said(outcomes[2]!)).not.toContain('secret');
});

test('no more calls run at once than the setting says, and a changed setting counts at once', async () => {
  let running = 0;
  let most = 0;
  const gates: (() => void)[] = [];
  const { call, settings } = house([catalogTool()], {
    find: async () => {
      most = Math.max(most, ++running);
      await new Promise<void>((resolve) => gates.push(resolve));
      running--;
      return text('x');
    },
  });
  const all = Array.from({ length: 6 }, () => call());
  await until(() => gates.length === 3);
  expect(most).toBe(3);
  settings.change({ tools: { concurrency: 5 } });
  await until(() => gates.length === 5);
  expect(most).toBe(5);
  for (let opened = 0; opened < 6; opened++) {
    await until(() => gates.length > opened);
    gates[opened]?.();
  }
  await Promise.all(all);
});

test('a server’s time limit goes before the general one, which may change any time', async () => {
  const { call, mcp, made, settings } = house([catalogTool()], found);
  await call();
  settings.change({ tools: { timeout: 5000 } });
  await call();
  mcp.tools.set([catalogTool({ timeout: 700 })]);
  await call();
  expect(made.map(({ timeoutMs }) => timeoutMs)).toEqual([30_000, 5000, 700]);
});

test('a lost connection is tried again only where repeating does no harm', async () => {
  const lost = new AppError('mcp.unreachable', 'The server went away.', {
    serverId: 'server-1',
    reason: 'exit',
  });
  let failures = 2;
  const work = {
    find: () => {
      if (failures-- > 0) throw lost;
      return text('found');
    },
  };
  const safe = house([catalogTool({ annotations: { readOnly: true } })], work);
  const running = safe.call();
  for (let waits = 0; waits < 2; waits++) {
    await until(() => safe.clock.pending() > 0);
    safe.clock.advance(5000);
  }
  expect((await running).status).toBe('ok');
  expect(safe.made).toHaveLength(3);

  failures = 1;
  const unsafe = house([catalogTool()], work);
  expect((await unsafe.call()).status).toBe('error');
  expect(unsafe.made).toHaveLength(1);
});

test('past the limit of calls for a note the person is asked whether to go on', async () => {
  const { call, door } = house([catalogTool()], found, { settings: { tools: { callsPerNote: 2 } } });
  await call();
  await call();
  const third = call();
  await until(() => door.approvals.get().length === 1);
  expect(door.approvals.get()[0]?.why).toEqual({ kind: 'call-limit', calls: 2 });
  await door.decide(door.approvals.get()[0]?.id ?? '', { kind: 'allow', remember: 'once' });
  expect((await third).status).toBe('ok');
  expect((await call()).status).toBe('ok');
  expect((await call({ unattended: { allow: [] } })).status).toBe('denied');
  door.resetLimit('A.md');
  expect((await call()).status).toBe('ok');
});

test('an equal result in the note is reused without asking and without a call', async () => {
  const tool = catalogTool({ approval: null, annotations: { readOnly: true } });
  const { call, made, clock, door, mcp } = house([tool], found);
  const outcome = {
    callId: 'e',
    status: 'ok',
    parts: [{ kind: 'text', text: 'old' }],
    ms: 5,
    at: clock.now(),
    cached: false,
    truncated: false,
    definition: null,
  } as const;
  const earlier = [
    {
      serverName: 'memory',
      tool: 'find',
      arguments: { query: 'x' },
      definition: 'aaaaaaaaaaaa',
      at: clock.now(),
      outcome: { ...outcome, parts: [...outcome.parts] },
    },
  ];
  const reused = await call({ earlier });
  expect(reused).toMatchObject({ status: 'ok', cached: true, parts: [{ text: 'old' }] });
  expect(made).toEqual([]);
  expect(door.history.find({ limit: 1 })[0]).toMatchObject({ cached: true, approval: 'cached' });

  // Somebody else signed in since: what was found may not be theirs.
  clock.advance(1000);
  mcp.tools.set([{ ...tool, approval: 'allow', account: 'account-2' }]);
  expect(await call({ earlier })).toMatchObject({ cached: false, parts: [{ text: 'found' }] });
  const [own] = earlier;
  const since = own ? [...earlier, { ...own, at: clock.now() }] : [];
  expect(await call({ earlier: since })).toMatchObject({ cached: true });
});

test('a result of the vault’s own server is not reused: its notes may have changed since', async () => {
  const readOnly = { approval: 'allow', annotations: { readOnly: true }, serverId: bundledId } as const;
  const { call, clock } = house([catalogTool({ ...readOnly, serverName: 'vault' })], found);
  const first = await call({ serverId: bundledId });
  const given = { serverName: 'vault', tool: 'find', arguments: { query: 'x' }, definition: 'aaaaaaaaaaaa' };
  const earlier = [{ ...given, at: clock.now(), outcome: first }];
  expect(await call({ serverId: bundledId, earlier })).toMatchObject({ status: 'ok', cached: false });
});

test('nothing in a tool’s description is read by a model and hidden from a person', () => {
  const hidden = 'Finds.\u{e0073}\u202e\u001b[8m';
  const properties = { query: { type: 'string', description: hidden, enum: [hidden] } };
  const { door } = house([catalogTool({ description: hidden, inputSchema: { properties } })], found);
  const shown = 'Finds.\\u{e0073}\\u{202e}';
  expect(door.offered(null, null)).toMatchObject([
    { description: shown, inputSchema: { properties: { query: { description: shown, enum: [hidden] } } } },
  ]);
});

test('every call is in the history, newest first, and can be filtered', async () => {
  const { call, door, clock } = house([catalogTool()], {
    find: ({ query }) => ({
      isError: query === 'bad',
      parts: [{ kind: 'text', text: 'x' }],
      structured: null,
    }),
  });
  await call({ arguments: { query: 'a' } });
  clock.advance(1000);
  await call({ arguments: { query: 'bad' }, path: 'B.md', by: 'person' });
  await call({ tool: 'nothing' });
  expect(door.history.find({ limit: 10 }).map(({ status }) => status)).toEqual(['error', 'error', 'ok']);
  expect(door.history.find({ limit: 10, path: 'B.md' })).toMatchObject([
    { by: 'person', arguments: '{"query":"bad"}' },
  ]);
  expect(door.history.find({ limit: 10, status: 'ok', tool: 'find' })).toHaveLength(1);
  expect(door.lastUsed.get()).toEqual([{ serverId: expect.any(String), name: 'find', at: clock.now() }]);
});

test('a tool that the note does not offer is unknown, also where the model names it', async () => {
  const { call, made } = house([catalogTool(), catalogTool({ name: 'read_all' })], found);
  for (const only of [[], ['memory/read*']]) {
    const outcome = await call({ only, approval: 'allow' });
    expect(outcome.status).toBe('error');
    expect(said(outcome)).toContain('There is no tool “find”.');
  }
  expect(made).toEqual([]);
});

test('a model that calls a tool of a server that was given up is told so, and since when, not names of others', async () => {
  const { mcp, call } = house([asks], found);
  const at = Date.parse('2027-01-15T12:00:00.000Z');
  const picture = (name: string, state: object) => ({
    id: name,
    name,
    state,
    lastError: { reason: { code: 'ended' }, at },
  });
  const servers = [
    picture('home notes', { kind: 'disabled', by: 'failures', reason: { code: 'ended' } }),
    picture('mail', { kind: 'disabled', by: 'user', reason: { code: 'switched-off' } }),
  ] as unknown as ReturnType<typeof mcp.servers.get>['servers'];
  mcp.servers.update((all) => ({ ...all, servers }));
  const answerOf = async (tool: string) => said(await call({ serverId: '?', tool }));
  const givenUp = await answerOf('home_notes__find');
  expect(givenUp).toContain('home notes');
  expect(givenUp).toContain(
    'switched off after it failed again and again (The server ended.) since 2027-01-15T12:00:00.000Z',
  );
  expect(givenUp).not.toContain('nearest');
  expect(await answerOf('mail__send')).toContain('switched off by a person');
  expect(await answerOf('memory__fnd')).toContain('The nearest names are');
});
