import { App } from '@modelcontextprotocol/ext-apps';
import { describe, expect, onTestFinished, test } from 'vitest';
import { AppError } from '../../../contract/errors';
import type { CallOutcome } from '../../../contract/tools';
import { createMediator, type Mediator, type MediatorParts } from './mediator';
import type { Question } from './view-methods';

type Sent = Record<string, unknown>;

const outcome: CallOutcome = {
  callId: 'c',
  status: 'ok',
  parts: [
    { kind: 'text', text: 'watered' },
    { kind: 'json', value: { beds: 3 } },
  ],
  ms: 1,
  at: 0,
  cached: false,
  truncated: false,
  definition: null,
};

/** Our side of the protocol, with what it asked of the app and sent to the frame. */
function mediated(changes: Partial<MediatorParts> = {}) {
  const sent: Sent[] = [];
  const seen = {
    calls: [] as unknown[],
    questions: [] as Question[],
    told: [] as string[],
    heights: [] as number[],
    ends: [] as string[],
    sent,
  };
  let toFrame = (message: Sent): void => void sent.push(message);
  const mediator = createMediator({
    post: (message) => toFrame(structuredClone(message)),
    hostInfo: { name: 'interlinear', version: '1.0.0' },
    context: () => ({ theme: 'dark', locale: 'en' }),
    takesMessages: true,
    call: async (...call) => {
      seen.calls.push(call.slice(0, 2));
      return outcome;
    },
    read: async (uri) => [{ uri, mediaType: 'text/plain', text: 'soil', base64: null }],
    resources: async () => ({
      resources: [
        { uri: 'bed://1', name: 'one', title: 'One', description: '', mediaType: 'text/plain', size: null },
      ],
      templates: [{ uriTemplate: 'bed://{n}', name: 'bed', title: 'Bed', description: '', mediaType: null }],
    }),
    prompts: async () => [{ name: 'plan', title: 'Plan', description: '', arguments: [] }],
    tell: async (text) => void seen.told.push(text),
    ask: async (question) => {
      seen.questions.push(question);
      return question.kind === 'message';
    },
    show: (mode) => mode,
    onReady: () => undefined,
    onHeight: (height) => void seen.heights.push(height),
    onEnd: (why) => void seen.ends.push(why),
    now: () => 0,
    ...changes,
  });
  onTestFinished(() => mediator.close());
  const deliver = (receiver: (message: Sent) => void) => {
    toFrame = receiver;
  };
  return { mediator, seen, deliver };
}

/** The official app's side, joined to ours by two functions. */
async function officialApp({
  mediator,
  deliver,
}: {
  mediator: Mediator;
  deliver: (to: (m: Sent) => void) => void;
}) {
  const app = new App({ name: 'garden', version: '1.0.0' }, {}, { autoResize: false });
  const heard: unknown[] = [];
  app.ontoolinput = (params) => void heard.push(['input', params.arguments]);
  app.ontoolresult = (params) =>
    void heard.push(['result', params.structuredContent, params.isError ?? false]);
  app.ontoolcancelled = (params) => void heard.push(['cancelled', params.reason]);
  app.onhostcontextchanged = (params) => void heard.push(['context', params.theme]);
  app.onteardown = () => {
    heard.push('teardown');
    return {};
  };
  const transport: Parameters<App['connect']>[0] & { onmessage?: (message: never) => void } = {
    start: async () => undefined,
    close: async () => undefined,
    send: async (message) => mediator.receive(structuredClone(message)),
  };
  deliver((message) => transport.onmessage?.(message as never));
  await app.connect(transport);
  return { app, heard };
}

describe('the official app library', () => {
  test('is told the host’s context, then what was asked and what came, in this order', async () => {
    const parts = mediated();
    parts.mediator.result({ content: [], structuredContent: { beds: 3 } });
    parts.mediator.input({ bed: 3 });
    const { app, heard } = await officialApp(parts);
    expect(app.getHostContext()).toMatchObject({ theme: 'dark', locale: 'en' });
    await expect
      .poll(() => heard)
      .toEqual([
        ['input', { bed: 3 }],
        ['result', { beds: 3 }, false],
      ]);
    parts.mediator.contextChanged({ theme: 'light' });
    parts.mediator.cancelled('stopped');
    await expect
      .poll(() => heard.slice(2))
      .toEqual([
        ['context', 'light'],
        ['cancelled', 'stopped'],
      ]);
    await parts.mediator.tearDown();
    expect(heard.at(-1)).toBe('teardown');
  });

  test('calls tools, reads, asks for links and messages, and tells what goes with the next question', async () => {
    const parts = mediated();
    const { app } = await officialApp(parts);
    const result = await app.callServerTool({ name: 'water', arguments: { bed: 3 } });
    expect(result).toMatchObject({ structuredContent: { beds: 3 }, content: [{ text: 'watered' }, {}] });
    expect(parts.seen.calls).toEqual([['water', { bed: 3 }]]);
    const read = await app.readServerResource({ uri: 'garden://soil' });
    expect(read.contents).toEqual([{ uri: 'garden://soil', mimeType: 'text/plain', text: 'soil' }]);
    expect(await app.openLink({ url: 'https://garden.example/' })).toEqual({ isError: true });
    expect(await app.sendMessage({ role: 'user', content: [{ type: 'text', text: 'Water it.' }] })).toEqual(
      {},
    );
    expect(parts.seen.questions).toEqual([
      { kind: 'link', url: 'https://garden.example/' },
      { kind: 'message', text: 'Water it.' },
    ]);
    await app.updateModelContext({
      content: [{ type: 'text', text: 'Bed 3' }],
      structuredContent: { bed: 3 },
    });
    expect(parts.seen.told).toEqual(['Bed 3\n\n{"bed":3}']);
    await app.sendSizeChanged({ width: 10, height: 320 });
    expect(parts.seen.heights).toEqual([320]);
    await app.requestTeardown();
    expect(parts.seen.ends).toEqual(['asked']);
  });

  test('hears a failure of the core in its own words, and of anything else none', async () => {
    const closed = mediated({
      call: () => Promise.reject(new AppError('view.gone', 'This view is closed.', {})),
      read: () => Promise.reject(new Error('/home/me/secret')),
    });
    const { app } = await officialApp(closed);
    await expect(app.callServerTool({ name: 'water', arguments: {} })).rejects.toThrow(
      'This view is closed.',
    );
    await expect(app.readServerResource({ uri: 'x' })).rejects.toThrow('It did not work');
  });
});

const request = (method: string, params: unknown = {}, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});

test('what is no message of the protocol is passed over without a word', async () => {
  const { mediator, seen } = mediated();
  for (const nonsense of [
    null,
    undefined,
    'ui/initialize',
    7,
    [],
    {},
    { jsonrpc: '1.0', id: 1, method: 'ping' },
    { jsonrpc: '2.0', id: {}, method: 'ping' },
    { jsonrpc: '2.0', method: 'ui/notifications/size-changed', params: { height: Number.POSITIVE_INFINITY } },
    { jsonrpc: '2.0', method: 'ui/notifications/size-changed', params: { height: '100vh' } },
    { jsonrpc: '2.0', method: '__proto__', params: {} },
    { jsonrpc: '2.0', id: 'teardown', result: {} },
  ])
    mediator.receive(nonsense);
  expect(seen).toMatchObject({ sent: [], heights: [], calls: [], ends: [] });
});

test.each([
  ['javascript:alert(1)'],
  ['data:text/html,x'],
  ['file:///etc/passwd'],
  ['app://interlinear/'],
  ['server-view://x/'],
  ['//garden.example'],
])('the link %s is never even asked for', async (url) => {
  const { mediator, seen } = mediated();
  mediator.receive(request('ui/open-link', { url }));
  await expect.poll(() => seen.sent.length).toBe(1);
  expect(seen.questions).toEqual([]);
  expect(JSON.stringify(seen.sent)).toMatch(/isError|Invalid params/);
});

test.each([['tools/list'], ['sampling/createMessage'], ['prompts/get'], ['constructor']])(
  '%s is answered as unknown',
  async (method) => {
    const { mediator, seen } = mediated();
    mediator.receive(request(method));
    await expect.poll(() => seen.sent).toMatchObject([{ id: 1, error: { code: -32601 } }]);
  },
);

test('one that asks for much at once is answered only for the first, and nothing after the end', async () => {
  const waiting: ((answer: CallOutcome) => void)[] = [];
  const { mediator, seen } = mediated({ call: () => new Promise((resolve) => waiting.push(resolve)) });
  for (let id = 0; id < 40; id++) mediator.receive(request('tools/call', { name: 'water' }, id));
  await expect.poll(() => seen.sent.length).toBe(24);
  expect(seen.sent.every((message) => 'error' in message)).toBe(true);
  expect(waiting).toHaveLength(16);
  mediator.close();
  for (const answer of waiting) answer(outcome);
  await Promise.resolve();
  expect(seen.sent).toHaveLength(24);
});

test('a flood and a huge message end the view', () => {
  const flood = mediated();
  for (let sent = 0; sent < 301; sent++) flood.mediator.receive({ jsonrpc: '2.0', method: 'x' });
  expect(flood.seen.ends).toEqual(['too-many']);
  const huge = mediated();
  huge.mediator.receive(
    request('ui/message', { role: 'user', content: [{ type: 'text', text: 'x'.repeat(2e6) }] }),
  );
  expect(huge.seen.ends).toEqual(['too-large']);
});

const embedded = (resource: Record<string, unknown>) => ({ type: 'resource', resource });
const shownFiles = (questions: readonly Question[]) =>
  questions.map((question) =>
    question.kind === 'files'
      ? question.files.map(({ name, bytes }) => [name, new TextDecoder().decode(bytes)])
      : question.kind,
  );

test('files that a view hands over or links to are asked for by name, and its own server alone is read', async () => {
  const asked: string[] = [];
  const parts = mediated({
    read: async (uri) => {
      asked.push(uri);
      return [{ uri, mediaType: 'application/pdf', text: null, base64: btoa('pdf') }];
    },
    ask: async (question) => {
      parts.seen.questions.push(question);
      return true;
    },
  });
  const { app } = await officialApp(parts);
  expect(app.getHostCapabilities()).toMatchObject({ downloadFile: {} });
  const result = await app.downloadFile({
    contents: [
      {
        type: 'resource',
        resource: { uri: 'file:///beds/be%20ds.csv?v=1', mimeType: 'text/csv', text: 'a,b' },
      },
      { type: 'resource', resource: { uri: 'run.exe', mimeType: 'application/x-exe', blob: btoa('MZ') } },
      { type: 'resource_link', uri: 'https://garden.example/q4.pdf', name: 'Q4 Report' },
    ],
  });
  expect(result).toEqual({});
  expect(asked).toEqual(['https://garden.example/q4.pdf']);
  expect(shownFiles(parts.seen.questions)).toEqual([
    [
      ['be ds.csv', 'a,b'],
      ['run.exe.bin', 'MZ'],
      ['Q4 Report.pdf', 'pdf'],
    ],
  ]);
});

test('a file that the person does not want, or that its server does not have, is an error for the view', async () => {
  const contents = [{ type: 'resource_link' as const, uri: 'bed://1', name: 'Bed' }];
  const refused = mediated();
  expect(await (await officialApp(refused)).app.downloadFile({ contents })).toEqual({ isError: true });
  expect(shownFiles(refused.seen.questions)).toEqual([[['Bed.txt', 'soil']]]);
  const empty = mediated({ read: async () => [] });
  expect(await (await officialApp(empty)).app.downloadFile({ contents })).toEqual({ isError: true });
  const dead = mediated({ read: () => Promise.reject(new AppError('view.gone', 'It is closed.', {})) });
  await expect((await officialApp(dead)).app.downloadFile({ contents })).rejects.toThrow('It is closed.');
  expect([...empty.seen.questions, ...dead.seen.questions]).toEqual([]);
});

test.each<[string, unknown]>([
  ['nothing', []],
  ['nine', Array.from({ length: 9 }, () => embedded({ uri: 'a.txt', text: 'x' }))],
  ['an address only', [{ type: 'text', text: 'https://garden.example/' }]],
  ['neither text nor bytes', [embedded({ uri: 'a.txt' })]],
  ['no base64', [embedded({ uri: 'a.png', blob: '?' })]],
  ['more than sixteen megabytes', [embedded({ uri: 'a.txt', text: 'x'.repeat(16_777_217) })]],
  ['more than that together', ['a', 'b'].map((uri) => embedded({ uri, blob: btoa('x'.repeat(8_400_000)) }))],
  ['more than that as it is written', [embedded({ uri: 'a.txt', text: '花'.repeat(6_000_000) })]],
])('%s is not even asked for as a file', async (_what, contents) => {
  const { mediator, seen } = mediated();
  mediator.receive(request('ui/download-file', { contents }));
  await expect.poll(() => seen.sent).toMatchObject([{ id: 1, error: { code: -32602 } }]);
  expect(seen).toMatchObject({ questions: [], ends: [] });
});

test('a file whose view is closed while it is read is asked for no more', async () => {
  let arrive: (contents: []) => void = () => undefined;
  const { mediator, seen } = mediated({
    read: async (uri) => {
      await new Promise((resolve) => {
        arrive = resolve;
      });
      return [{ uri, mediaType: null, text: 'soil', base64: null }];
    },
  });
  const contents = [{ type: 'resource_link', uri: 'bed://1', name: 'Bed' }];
  mediator.receive(request('ui/download-file', { contents }));
  mediator.close();
  arrive([]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(seen).toMatchObject({ questions: [], sent: [] });
});

test('a call that the view gives up is stopped', async () => {
  let stopped = false;
  const { mediator } = mediated({
    call: (_tool, _args, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          stopped = true;
          reject(new AppError('request.cancelled', 'Cancelled.', {}));
        });
      }),
  });
  mediator.receive(request('tools/call', { name: 'water' }, 'a'));
  mediator.receive({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'a' } });
  await expect.poll(() => stopped).toBe(true);
});

test('a view lists what its own server offers: resources, templates, prompts', async () => {
  const made = mediated();
  const answers: Sent[] = [];
  made.deliver((message) => void answers.push(message));
  const methods = ['resources/list', 'resources/templates/list', 'prompts/list'];
  for (const [id, method] of methods.entries()) made.mediator.receive({ jsonrpc: '2.0', id, method });
  await expect.poll(() => answers).toHaveLength(3);
  expect(answers.map(({ result }) => result)).toEqual([
    { resources: [{ uri: 'bed://1', name: 'one', title: 'One', description: '', mimeType: 'text/plain' }] },
    { resourceTemplates: [{ uriTemplate: 'bed://{n}', name: 'bed', title: 'Bed', description: '' }] },
    { prompts: [{ name: 'plan', title: 'Plan', description: '', arguments: [] }] },
  ]);
});
