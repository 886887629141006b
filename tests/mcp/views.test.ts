import { expect, onTestFinished, test } from 'vitest';
import type { CallOutcome } from '../../src/contract/tools';
import type { OpenView } from '../../src/contract/views';
import { openDatabase } from '../../src/core/foundation';
import { createTools } from '../../src/core/tools';
import { createViews } from '../../src/core/views';
import { createMemorySettings } from '../support/in-memory';
import { ownPrograms } from '../support/test-programs';
import { call, idOf, ours, until, world } from './setup';

async function garden() {
  const { mcp, host, until: untilServer } = await world({ garden: ours('views') }, { showsViews: true });
  await untilServer('garden', ({ state, tools }) => state.kind === 'ready' && tools !== null);
  const settings = createMemorySettings({ tools: { approval: 'ask' } });
  const database = openDatabase(':memory:', () => undefined);
  const tools = createTools({
    mcp,
    schemas: ownPrograms().schemas,
    settings,
    database,
    clock: host.clock,
    log: host.log,
  });
  const views = createViews({ mcp, tools, log: host.log, reads: () => Promise.resolve([]) });
  onTestFinished(() => tools.close());
  const serverId = idOf(mcp, 'garden');

  async function open(
    tool = 'show_bed',
    call: Parameters<typeof views.open>[0]['call'] = null,
    path: string | null = 'Garden.md',
  ) {
    const closing = new AbortController();
    onTestFinished(() => closing.abort());
    const opened = views.open({ serverId, tool, path, call }, closing.signal)[Symbol.asyncIterator]();
    const { value } = await opened.next();
    return {
      view: value as OpenView,
      async close() {
        const over = opened.next();
        closing.abort();
        await over;
      },
    };
  }
  return { mcp, tools, views, settings, serverId, open };
}

const never = () => new AbortController().signal;
const textOf = ({ parts }: CallOutcome) => parts.map((part) => ('text' in part ? part.text : '')).join();

test('the extension is declared where somebody can see a view, and only there', async () => {
  const seen = await world({ garden: ours('views') }, { showsViews: true });
  const unseen = await world({ garden: ours('views') });
  for (const { until: untilServer } of [seen, unseen])
    await untilServer('garden', ({ state }) => state.kind === 'ready');
  const said = async ({ mcp }: typeof seen) =>
    JSON.stringify((await call(mcp, 'garden', 'extensions')).parts).includes('io.modelcontextprotocol/ui');
  expect([await said(seen), await said(unseen)]).toEqual([true, false]);
});

test('a tool that is for views only is neither offered to a model nor called by one, under any name', async () => {
  const { tools, serverId } = await garden();
  const offered = tools.offered(null, null).map(({ name }) => name);
  expect(offered).toContain('show_bed');
  expect(offered).not.toContain('water');
  expect(tools.search('water', 10)).toEqual([]);
  expect(tools.byModelName('garden__water')).toBeUndefined();
  const asked = {
    callId: 'c',
    runId: null,
    path: null,
    by: 'model' as const,
    arguments: {},
    unattended: { allow: ['*'] },
    earlier: [],
  };
  for (const [server, tool, args] of [
    [serverId, 'water', {}],
    ['garden', 'water', {}],
    ['interlinear', 'call_tool', { tool: 'garden__water', arguments: {} }],
  ] as const) {
    const outcome = await tools.run(
      { ...asked, serverId: server, tool, arguments: args },
      never(),
      () => undefined,
    );
    expect(outcome.status).toBe('error');
    expect(textOf(outcome)).not.toContain('watered');
  }
});

test('a view calls tools of its own server through approval and history, and no others', async () => {
  const { tools, views, open, serverId } = await garden();
  const { view, close } = await open();
  const calling = views.call(view.viewId, 'water', {}, never());
  const [asked] = await until(tools.approvals, (list) => list.length > 0);
  expect(asked).toMatchObject({ by: 'app', tool: 'water', path: 'Garden.md', serverId });
  await tools.decide(asked?.id ?? '', { kind: 'allow', remember: 'once' });
  expect(textOf(await calling)).toBe('watered 1');
  expect(tools.history.find({ by: 'app', limit: 1 })).toMatchObject([{ tool: 'water', status: 'ok' }]);

  for (const tool of ['secret', 'read_docs', 'interlinear__find_tools', 'find_tools'])
    expect((await views.call(view.viewId, tool, {}, never())).status, tool).toBe('error');

  const waiting = views.call(view.viewId, 'water', {}, never());
  await until(tools.approvals, (list) => list.length > 0);
  await close();
  expect((await waiting).status).toBe('cancelled');
  expect(tools.approvals.get()).toEqual([]);
  await expect(views.call(view.viewId, 'water', {}, never())).rejects.toMatchObject({ code: 'view.gone' });
});

test('a view’s call that could carry something outside is asked about even after “always”', async () => {
  const { tools, views, open, serverId } = await garden();
  await tools.setApproval(serverId, 'water', 'allow', tools.find(serverId, 'water')?.revision ?? '');
  const { view } = await open();
  const calling = views.call(view.viewId, 'water', {}, never());
  const [asked] = await until(tools.approvals, (list) => list.length > 0);
  expect(asked).toMatchObject({ by: 'app', tool: 'water', why: { kind: 'flow' } });
  expect(asked?.flow?.map(({ kind }) => kind)).toContain('view');
  await tools.decide(asked?.id ?? '', { kind: 'deny', reason: '' });
  expect((await calling).status).toBe('denied');
});

test('more than eight calls of one view at a time are refused', async () => {
  const { tools, views, open } = await garden();
  const { view, close } = await open();
  const calls = Array.from({ length: 8 }, () => views.call(view.viewId, 'water', {}, never()));
  await until(tools.approvals, (list) => list.length === 8);
  await expect(views.call(view.viewId, 'water', {}, never())).rejects.toMatchObject({ code: 'view.refused' });
  await close();
  await Promise.all(calls);
});

test('a page is there under the name of its server, at an address nobody can guess, while it is open', async () => {
  const { views, open } = await garden();
  const first = await open();
  const second = await open('silent');
  expect(first.view.viewId).toMatch(/^[0-9a-f]{64}$/);
  expect(second.view.origin).toBe(first.view.origin);
  expect(second.view.viewId).not.toBe(first.view.viewId);
  const page = views.page(first.view.origin, first.view.viewId, 'http://127.0.0.1:1');
  expect(new TextDecoder().decode(page?.bytes)).toContain('<title>Garden</title>');
  const policy = page?.headers['content-security-policy'];
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain('sandbox allow-scripts allow-forms');
  expect(policy).toMatch(/frame-ancestors http:\/\/127\.0\.0\.1:1$/);
  expect(views.page('v0', first.view.viewId, '')).toBeNull();
  expect(views.page(first.view.origin, 'x', '')).toBeNull();
  await first.close();
  expect(views.page(first.view.origin, first.view.viewId, '')).toBeNull();
});

test('a view is given the newest result whole, with what is meant for it alone; a note’s own words else', async () => {
  const { tools, open, serverId, settings } = await garden();
  settings.change({ tools: { approval: 'allow' } } as never);
  const args = { bed: '3' };
  const outcome = await tools.run(
    {
      callId: 'c',
      runId: null,
      path: null,
      by: 'person',
      serverId,
      tool: 'show_bed',
      arguments: args,
      unattended: null,
      earlier: [],
    },
    never(),
    () => undefined,
  );
  const at = Math.floor(outcome.at / 1000) * 1000;
  expect((await open('show_bed', { arguments: args, at })).view.outcome).toMatchObject({
    callId: 'c',
    meta: { shade: 'green' },
    parts: [{ kind: 'text' }, { kind: 'json', value: { bed: '3' } }],
  });
  for (const other of [
    { arguments: { bed: '4' }, at },
    { arguments: args, at: at - 1000 },
  ])
    expect((await open('show_bed', other)).view.outcome).toBeNull();
});

test('a tool without a view, or whose view is none, says so', async () => {
  const { mcp, open, serverId } = await garden();
  await expect(open('extensions')).rejects.toMatchObject({ code: 'view.gone' });
  await expect(open('nothing')).rejects.toMatchObject({ code: 'view.gone' });
  await expect(mcp.readView(serverId, 'ui://garden/other', never())).rejects.toMatchObject({
    code: 'mcp.protocol',
  });
});

test('what a view says goes with the questions of its own note, as long as it is open', async () => {
  const { views, open } = await garden();
  const { view, close } = await open();
  views.tell(view.viewId, 'Bed 3 is chosen.');
  const words = [{ serverName: 'garden', tool: 'show_bed', text: 'Bed 3 is chosen.' }];
  expect(views.words('Garden.md')).toEqual(words);
  expect(views.words('Other.md')).toEqual([]);
  views.tell(view.viewId, '');
  expect(views.words('Garden.md')).toEqual([]);
  views.tell(view.viewId, 'Bed 4.');
  await close();
  expect(views.words('Garden.md')).toEqual([]);
});

test('what a view says hides nothing from a person, and is no longer than anybody reads', async () => {
  const { views, open } = await garden();
  const { view } = await open();
  views.tell(view.viewId, 'Bed\u202e 3\u001b[31m is\u200b chosen.\u0007');
  expect(views.words('Garden.md').map(({ text }) => text)).toEqual([
    'Bed\\u{202e} 3 is\\u{200b} chosen.\\u{7}',
  ]);
  views.tell(view.viewId, '\u202e'.repeat(32_000));
  expect(views.words('Garden.md')[0]?.text.length).toBeLessThanOrEqual(32_001);
});

test('what a view reads is not read while tools are paused or its own tool is denied, and is kept in the history', async () => {
  const { mcp, tools, views, settings, serverId, open } = await garden();
  const { view } = await open();
  const reads = () => [
    views.read(view.viewId, 'ui://garden/silent', never()),
    views.resources(view.viewId, never()),
    views.prompts(view.viewId, never()),
  ];
  await Promise.all(reads());
  const denials = async () =>
    (await Promise.allSettled(reads())).map((end) => end.status === 'rejected' && end.reason.details?.by);
  mcp.setPaused(true);
  expect(await denials()).toEqual(['paused', 'paused', 'paused']);
  mcp.setPaused(false);
  settings.change({ tools: { approval: 'deny' } });
  expect(await denials()).toEqual(['never-here', 'never-here', 'never-here']);
  settings.change({ tools: { approval: 'ask' } });
  await mcp.setToolEnabled(serverId, 'show_bed', false);
  expect(await denials()).toEqual(['off', 'off', 'off']);
  await mcp.setToolEnabled(serverId, 'show_bed', true);
  await Promise.all(reads());
  const kept = () => tools.history.find({ by: 'app', limit: 50 });
  await expect.poll(() => kept().length).toBe(15);
  const first = kept().filter(({ tool, path }) => tool === 'resources/read' && path === 'Garden.md');
  expect(first.map(({ status, approval }) => `${status} ${approval}`)).toEqual([
    'ok view',
    'denied off',
    'denied never-here',
    'denied paused',
    'ok view',
  ]);
  expect(first[0]?.arguments).toBe('{"uri":"ui://garden/silent"}');
});

test('a view lists the resources of its own server while it is open, and no longer', async () => {
  const { views, mcp, serverId, open } = await garden();
  const { view, close } = await open();
  const listed = await views.resources(view.viewId, never());
  expect(listed.resources.length).toBeGreaterThan(0);
  expect(listed).toEqual(await mcp.resources(serverId));
  await close();
  await expect(views.resources(view.viewId, never())).rejects.toMatchObject({ code: 'view.gone' });
  await expect(views.prompts(view.viewId, never())).rejects.toMatchObject({ code: 'view.gone' });
});

test('a view that calls a tool which its server keeps from views is told so', async () => {
  const { tools, serverId } = await garden();
  const outcome = await tools.run(
    {
      callId: 'c',
      runId: null,
      path: null,
      by: 'app',
      serverId,
      tool: 'secret',
      arguments: {},
      unattended: { allow: ['*'] },
      earlier: [],
    },
    never(),
    () => undefined,
  );
  expect(outcome.status).toBe('error');
  expect(textOf(outcome)).toContain('from views');
  expect(textOf(outcome)).not.toMatch(/There is no tool|nearest/);
});
