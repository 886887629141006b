import { expect, onTestFinished, test } from 'vitest';
import type { AskAnswer, ServerAsk } from '../../src/contract/asks';
import type { SampleRequest } from '../../src/core/mcp';
import { call, everything, idOf, ours, until, type World, world } from './setup';

type Ask = ServerAsk['ask'];
const one = (answer: AskAnswer) => () => answer;

/** A screen that is open, and a person who answers what it shows. */
function person(
  { mcp }: World,
  answer: (ask: Ask) => AskAnswer | Promise<AskAnswer>,
): { seen: Ask[]; refused: unknown[] } {
  const seen: Ask[] = [];
  const refused: unknown[] = [];
  const life = new AbortController();
  onTestFinished(() => life.abort());
  void (async () => {
    const known = new Set<string>();
    for await (const asks of mcp.asks.follow(life.signal))
      for (const { id, ask } of asks.filter((question) => !known.has(question.id))) {
        known.add(id);
        seen.push(ask);
        const given = await answer(ask);
        await mcp.asks.answer(id, given).catch((error: unknown) => refused.push(error));
      }
  })();
  return { seen, refused };
}

const answered = async (here: World, tool: string, timeoutMs = 10_000) => {
  const { parts } = await call(here.mcp, 'asks', tool, {}, { timeoutMs });
  const [part] = parts;
  return part?.kind === 'text' ? JSON.parse(part.text) : null;
};

test('a form of a server is shown with its name, and fields left out have their defaults', async () => {
  const here = await world({ asks: ours('asks-person') });
  const { seen } = person(here, one({ action: 'accept', content: { name: 'Ada' } }));
  expect(await answered(here, 'form')).toEqual({
    action: 'accept',
    content: { name: 'Ada', colour: 'blue' },
  });
  expect(seen).toMatchObject([{ kind: 'form', message: 'Who are you?' }]);
});

test('an answer that is not what was asked for is not sent; the question stays', async () => {
  const here = await world({ asks: ours('asks-person') });
  const { refused } = person(here, one({ action: 'accept', content: { name: 'A', colour: 'green' } }));
  const waiting = answered(here, 'form');
  await expect.poll(() => refused, { interval: 5 }).toMatchObject([{ code: 'request.invalid' }]);
  const [question] = here.mcp.asks.waiting.get();
  await here.mcp.asks.answer(question?.id ?? '', { action: 'decline' });
  expect(await waiting).toEqual({ action: 'decline' });
});

test('what a server has a call remember goes back as it came, with that call’s next try and nothing else', async () => {
  const { command, args } = ours('holding');
  const here = await world({ asks: { command, args: [...args, 'modern'] } });
  person(here, one({ action: 'accept', content: {} }));
  const said = async (tool: string) => (await call(here.mcp, 'asks', tool)).parts[0];
  expect(await said('asks')).toEqual({ kind: 'text', text: 'who' });
  expect(await said('level')).toEqual({ kind: 'text', text: 'info' });
  await here.mcp.readResource(idOf(here.mcp, 'asks'), 'memo://a');
  expect(await said('states')).toEqual({ kind: 'text', text: '[["tools/call",true]]' });
});

test('where nobody looks, questions are cancelled at once', async () => {
  const here = await world({ asks: ours('asks-person') });
  expect(await answered(here, 'form', 2_000)).toEqual({ action: 'cancel' });
  expect(await answered(here, 'sample', 2_000)).toHaveProperty('error');
});

test('a person may take longer than the call has time', async () => {
  const here = await world({ asks: ours('asks-person') });
  let think: (answer: AskAnswer) => void = () => undefined;
  person(here, () => new Promise((resolve) => (think = resolve)));
  const waiting = answered(here, 'form', 1_000);
  await until(here.mcp.asks.waiting, (asks) => asks.length === 1);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  think({ action: 'decline' });
  expect(await waiting).toEqual({ action: 'decline' });
});

test('a call that is stopped takes its question away', async () => {
  const here = await world({ asks: ours('asks-person') });
  person(here, () => new Promise(() => undefined));
  const stop = new AbortController();
  const waiting = call(here.mcp, 'asks', 'form', {}, { signal: stop.signal });
  await until(here.mcp.asks.waiting, (asks) => asks.length === 1);
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'request.cancelled' });
});

test('an address is opened only on consent, and never anything but a web address', async () => {
  const opened: string[] = [];
  const open = async (url: string) => void opened.push(url);
  const here = await world({ asks: ours('asks-person') }, { openExternal: open });
  let consent: AskAnswer = { action: 'decline' };
  const { seen } = person(here, () => consent);
  expect(await answered(here, 'url')).toEqual({ action: 'decline' });
  expect(opened).toEqual([]);
  consent = { action: 'accept' };
  expect(await answered(here, 'url')).toEqual({ action: 'accept' });
  expect(opened).toEqual(['https://pay.example/now?x=1']);
  expect(seen[0]).toMatchObject({ kind: 'url', url: 'https://pay.example/now?x=1', host: 'pay.example' });
  expect(await answered(here, 'script')).toHaveProperty('error');
  expect(seen).toHaveLength(2);
});

test('a call that is refused until something is done in the browser offers that page, and says so', async () => {
  const opened: string[] = [];
  const here = await world(
    { asks: ours('asks-person') },
    { openExternal: async (url) => void opened.push(url) },
  );
  let consent: AskAnswer = { action: 'decline' };
  person(here, () => consent);
  await expect(call(here.mcp, 'asks', 'visit')).rejects.toThrow('did not want to');
  expect(opened).toEqual([]);
  consent = { action: 'accept' };
  await expect(call(here.mcp, 'asks', 'visit')).rejects.toThrow('Call again once it is done');
  expect(opened).toEqual(['https://pay.example/now?x=1']);
});

test('a server may ask whether we are still there', async () => {
  const here = await world({ asks: ours('asks-person') });
  expect(await answered(here, 'ping')).toEqual({});
});

test('a model is lent only on consent, with the whole prompt shown and the length limited', async () => {
  const lent: unknown[] = [];
  const here = await world(
    { asks: ours('asks-person') },
    {
      selectModel: async () => ({
        name: 'small-1',
        answer: async (request) => {
          lent.push(request);
          return { model: 'small-1', text: 'Because.', toolCalls: [], cut: false };
        },
      }),
    },
  );
  let consent: AskAnswer = { action: 'decline' };
  const { seen } = person(here, () => consent);
  expect(await answered(here, 'sample')).toHaveProperty('error');
  expect(lent).toEqual([]);
  consent = { action: 'accept' };
  expect(await answered(here, 'sample')).toMatchObject({ model: 'small-1', content: { text: 'Because.' } });
  const request = { system: 'Be short.', maxTokens: 8_192, hints: ['small'], tools: [], toolChoice: 'auto' };
  const messages = [{ role: 'user', text: 'Why?' }];
  expect(seen[0]).toEqual({ kind: 'sampling', ...request, messages, model: 'small-1' });
  expect(lent).toMatchObject([{ ...request, messages }]);
});

test('a model that is lent with tools: its calls go back to the server, and each round is shown and allowed', async () => {
  const lent: SampleRequest[] = [];
  const here = await world(
    { asks: ours('asks-person') },
    {
      selectModel: async () => ({
        name: 'small-1',
        answer: async (request) => {
          lent.push(request);
          const [result] = request.messages.at(-1)?.toolResults ?? [];
          const toolCalls = result ? [] : [{ id: 'c1', name: 'weather', arguments: { town: 'Ulm' } }];
          return { model: 'small-1', text: result ? `Yes: ${result.text}` : '', toolCalls, cut: false };
        },
      }),
    },
  );
  const { seen } = person(here, one({ action: 'accept' }));
  const end = await answered(here, 'loop');
  expect(end).toMatchObject({ stopReason: 'endTurn', content: { text: 'Yes: Rain in Ulm' } });
  expect(seen).toMatchObject([
    {
      tools: [{ name: 'weather', inputSchema: { required: ['town'] } }],
      toolChoice: 'auto',
      model: 'small-1',
    },
    { messages: [{}, { text: '→ weather {"town":"Ulm"}' }, { text: '← Rain in Ulm' }] },
  ]);
  expect(lent[1]?.priorities.cost).toBe(0.9);
  // Calls and results that do not belong together are refused before anybody is asked.
  expect(await answered(here, 'unbalanced')).toMatchObject({
    error: expect.stringContaining('do not match'),
  });
  expect(seen).toHaveLength(2);
});

test('a server that asks again and again is not listened to', async () => {
  const here = await world({ asks: ours('asks-person') });
  const { seen } = person(here, one({ action: 'decline' }));
  for (let n = 0; n < 15; n++) expect(await answered(here, 'form')).toEqual({ action: 'decline' });
  expect(seen).toHaveLength(10);
});

test('resources: listed, one that is broken left out, read, and read anew when the server says so', async () => {
  const { mcp } = await world({ asks: ours('asks-person') });
  const id = idOf(mcp, 'asks');
  const { resources, templates } = await mcp.resources(id);
  expect(resources.map(({ uri }) => uri)).toEqual(['memo://a']);
  expect(templates.map(({ uriTemplate }) => uriTemplate)).toEqual(['memo://{day}']);
  const life = new AbortController();
  const read: (string | null | undefined)[] = [];
  for await (const [content] of mcp.followResource(id, 'memo://a', life.signal)) {
    read.push(content?.text);
    if (content?.text === 'second') break;
  }
  expect(read.at(-1)).toBe('second');
});

test('everything’s resources and prompts: listed, read, filled in and completed', async () => {
  const { mcp } = await world({ everything });
  const id = idOf(mcp, 'everything');
  const { resources, templates } = await mcp.resources(id);
  expect([resources.length, templates.length]).toEqual([7, 2]);
  const [content] = await mcp.readResource(id, resources[0]?.uri ?? '');
  expect(content?.text ?? content?.base64).toBeTruthy();
  const prompts = await mcp.prompts(id);
  expect(prompts.map(({ name }) => name)).toContain('args-prompt');
  const { turns } = await mcp.getPrompt(id, 'args-prompt', { city: 'Paris', state: 'Texas' });
  expect(JSON.stringify(turns)).toContain('Paris');
  const question = {
    of: { kind: 'prompt', name: 'completable-prompt' },
    argument: 'department',
    value: 'E',
    others: {},
  };
  expect(await mcp.complete(id, question as Parameters<typeof mcp.complete>[1])).toEqual(['Engineering']);
  await expect(mcp.getPrompt(id, 'no-such-prompt', {})).rejects.toMatchObject({ code: 'mcp.protocol' });
});
