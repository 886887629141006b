import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { AppError } from '../../src/contract/errors';
import { createAppDouble } from './app-double';
import { createCommandLine } from './command-line';

const lines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

test('--events prints one object a line, a tool call once and complete, and nothing that only the app needs', async () => {
  const double = createAppDouble(async ({ onEvent }) => {
    onEvent?.({ kind: 'reasoning', text: 'hm' });
    onEvent?.({ kind: 'text', text: 'a\nb' });
    onEvent?.({ kind: 'tool-call-start', index: 0, id: 'c1', name: 's__t' });
    onEvent?.({ kind: 'tool-call-arguments', index: 0, text: '{"x":1}' });
    onEvent?.({
      kind: 'tool-call',
      index: 0,
      id: 'c1',
      name: 's__t',
      arguments: { x: 1 },
      argumentsText: '{"x":1}',
      error: null,
    });
    onEvent?.({
      kind: 'tool-call',
      index: 1,
      id: 'c2',
      name: 's__t',
      arguments: null,
      argumentsText: '{"x',
      error: 'cut',
    });
    onEvent?.({ kind: 'native', state: { format: 'f', value: 1 } });
    onEvent?.({ kind: 'tool-result', id: 'c1', name: 's__t', status: 'ok', text: 'done' });
    onEvent?.({ kind: 'usage', usage: { inputTokens: 1, outputTokens: 2 } });
    onEvent?.({ kind: 'finish', reason: 'stop' });
    return { kind: 'finished', reason: 'stop' };
  });
  const { run, printed } = createCommandLine(double, { input: 'Hello' });
  expect(await run('ask', '-', '--events')).toBe(0);
  expect(lines(printed.out)).toEqual([
    { kind: 'reasoning', text: 'hm' },
    { kind: 'text', text: 'a\nb' },
    { kind: 'tool-call', id: 'c1', name: 's__t', arguments: { x: 1 } },
    { kind: 'tool-call', id: 'c2', name: 's__t', argumentsText: '{"x', error: 'cut' },
    { kind: 'tool-result', id: 'c1', name: 's__t', status: 'ok', text: 'done' },
    { kind: 'usage', inputTokens: 1, outputTokens: 2 },
    { kind: 'finish', reason: 'stop' },
  ]);
  expect(double.closed()).toBe(1);
});

test('a failing provider is the last event, by its class and with the seconds to wait, and exit code 1', async () => {
  const { run, printed } = createCommandLine(
    createAppDouble(async () => {
      throw new AppError('provider.failed', 'Slow down.', {
        provider: 'p',
        failure: 'rate-limit',
        status: 429,
        retryAfterMs: 1500,
      });
    }),
    { input: 'Hello' },
  );
  expect(await run('ask', '-', '--events')).toBe(1);
  expect(lines(printed.out)).toEqual([
    { kind: 'error', code: 'rate-limit', message: 'Slow down.', retryAfter: 2 },
  ]);
});

test('the answer goes to standard output as it comes, tools and failures to standard error', async () => {
  const { run, printed } = createCommandLine(
    createAppDouble(async ({ onEvent }) => {
      onEvent?.({ kind: 'text', text: 'Hello ' });
      onEvent?.({ kind: 'tool-result', id: 'c', name: 's__t', status: 'ok', text: 'x' });
      onEvent?.({ kind: 'text', text: 'you' });
      return { kind: 'finished', reason: 'stop' };
    }),
    { input: 'Hi' },
  );
  expect(await run('ask', '-')).toBe(0);
  expect(printed).toEqual({ out: 'Hello you\n', err: '[s__t: ok]\n' });
});

test.each([
  ['--events', { kind: 'notice', text: 'Asked without.' }],
  ['--json', { notices: ['Asked without.'], text: 'a' }],
])(
  'what a question is asked without is told to people at once, and to programs by %s',
  async (form, told) => {
    const answered = createAppDouble(async ({ onEvent }) => {
      onEvent?.({ kind: 'notice', text: 'Asked without.' });
      expect(printed.err).toBe('[Asked without.]\n');
      onEvent?.({ kind: 'text', text: 'a' });
      return { kind: 'finished', reason: 'stop' };
    });
    const { run, printed } = createCommandLine(answered, { input: 'Hi' });
    expect(await run('ask', '-', form)).toBe(0);
    expect(lines(printed.out)[0]).toMatchObject(told);
  },
);

test('a question from standard input is a note of a vault that is gone afterwards and is not remembered', async () => {
  const double = createAppDouble();
  const { run } = createCommandLine(double, { input: 'Hi' });
  expect(await run('ask', '-')).toBe(0);
  expect(double.asked[0]).toMatchObject({
    path: 'Question.md',
    at: 10,
    version: 3,
    unattended: { allow: [] },
  });
  expect(existsSync(double.openedVaults[0]!)).toBe(false);
  expect(double.settings.get().recentVaults).toEqual([]);
});

test('a note is answered in the vault around it', async () => {
  const double = createAppDouble();
  const { run, folder } = createCommandLine(double);
  mkdirSync(join(folder, 'vault/.interlinear'), { recursive: true });
  mkdirSync(join(folder, 'vault/a'));
  writeFileSync(join(folder, 'vault/a/Note.md'), '#User : hi');
  expect(await run('ask', join(folder, 'vault/a/Note.md'))).toBe(0);
  expect(await run('ask', 'a/Note.md', '--vault', join(folder, 'vault'))).toBe(0);
  expect(double.openedVaults).toEqual([join(folder, 'vault'), join(folder, 'vault')]);
  expect(double.asked.map(({ path }) => path)).toEqual(['a/Note.md', 'a/Note.md']);
});

test('options reach the run: provider, format, address, tools, what is allowed, rounds, agent', async () => {
  const double = createAppDouble();
  const { run } = createCommandLine(double, { input: 'Hi' });
  const options =
    '--provider azure --model m1 --format openai-chat --base-url http://127.0.0.1:1/v1 --rounds 1 --agent Helper';
  expect(
    await run('ask', '-', ...options.split(' '), '--tools', 'fs/*', 'memory', '--allow', 'fs/read_*,time'),
  ).toBe(0);
  expect(double.asked[0]).toMatchObject({
    provider: {
      config: {
        id: 'azure',
        vendor: 'azure',
        tag: 'AzureOpenAI',
        model: 'm1',
        format: 'openai-chat',
        baseUrl: 'http://127.0.0.1:1/v1',
      },
      key: null,
    },
    tools: ['fs/*', 'memory'],
    unattended: { allow: ['fs/read_*', 'time'] },
    rounds: 1,
    agent: 'Helper',
  });
  await run('ask', '-', '--tools', 'none');
  expect(double.asked[1]?.tools).toEqual([]);
});

test.each([
  [2, ['ask']],
  [2, ['ask', '-', '--rounds', '0']],
  [2, ['ask', '-', '--json', '--events']],
  [2, ['ask', '-', '--format', 'smoke-signals']],
  [2, ['ask', '-', '--base-url', 'file:///etc']],
  [2, ['dance']],
  [2, ['serve', '--port', '99999']],
  [3, ['ask', 'no-such-note.md']],
  [3, ['ask', '-', '--provider', 'nobody']],
  [3, ['ask', '-', '--provider', 'azure']],
  [3, ['servers', 'test', 'nobody']],
  [0, ['--version']],
  [0, ['ask', '--help']],
])('exit code %i for %j', async (code, argv) => {
  const { run, unexpected } = createCommandLine(createAppDouble(), { input: 'Hi' });
  expect(await run(...argv)).toBe(code);
  expect(unexpected).toEqual([]);
});

test('nothing on standard input is invalid input', async () => {
  const { run, printed } = createCommandLine(createAppDouble(), { input: ' \n' });
  expect(await run('ask', '-', '--json')).toBe(3);
  expect(JSON.parse(printed.out)).toMatchObject({ error: { code: 'request.invalid' } });
});

test('Ctrl+C stops the answer, keeps what is written and exits with 130', async () => {
  const double = createAppDouble(
    ({ onEvent }, stopped) =>
      new Promise((resolve) => {
        stopped.addEventListener('abort', () => resolve({ kind: 'finished', reason: 'cancelled' }));
        onEvent?.({ kind: 'text', text: 'so far' });
        interrupt();
      }),
  );
  const { run, printed, interrupt } = createCommandLine(double, { input: 'Hi' });
  expect(await run('ask', '-', '--events')).toBe(130);
  expect(lines(printed.out)).toEqual([
    { kind: 'text', text: 'so far' },
    { kind: 'finish', reason: 'cancelled' },
  ]);
  expect(double.closed()).toBe(1);
});

test('an error that is none of ours shows no insides; the log gets them', async () => {
  const { run, printed, unexpected } = createCommandLine(
    createAppDouble(async () => ({ kind: 'finished', reason: 'stop' })),
    { input: 'Hi' },
  );
  const broken = createCommandLine(
    { createApp: async () => Promise.reject(new Error('planted-secret')) },
    { input: 'Hi' },
  );
  expect(await broken.run('ask', '-')).toBe(1);
  expect(broken.printed.err + broken.printed.out).not.toContain('planted-secret');
  expect(broken.unexpected).toHaveLength(1);
  expect(await run('ask', '-')).toBe(0);
  expect(printed.err + unexpected.length).toBe('0');
});

test('an answer that did not get into the file of its note is no success, and it is said where it is', async () => {
  const answered = async () => ({ kind: 'finished', reason: 'stop' }) as const;
  for (const [save, said] of [
    [
      { kind: 'failed', code: 'vault.full', message: 'The disk is full.' },
      'The answer is not in the file of the note yet: it is written there when the vault is opened again. The disk is full.\n',
    ],
    [
      { kind: 'deleted' },
      'The note is gone from disk, and the answer is not in it. See: interlinear recover list\n',
    ],
  ] as const) {
    const double = createAppDouble(answered, { saves: [save] });
    const { run, printed } = createCommandLine(double);
    const folder = mkdtempSync(join(tmpdir(), 'ask-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, 'A.md'), '#User : hello\n');
    expect(await run('ask', join(folder, 'A.md'), '--vault', folder)).toBe(1);
    expect(printed.err).toContain(said);
  }
});

test('an answer that gets into the file of its note a moment later is one, as where somebody writes there just then', async () => {
  const answered = async () => ({ kind: 'finished', reason: 'stop' }) as const;
  const waits = {
    kind: 'waiting',
    message: 'Another program is writing this note.',
    keptIn: 'journal',
  } as const;
  const double = createAppDouble(answered, { saves: [{ kind: 'unsaved' }, waits, { kind: 'saved', at: 0 }] });
  const { run, printed, folder } = createCommandLine(double);
  writeFileSync(join(folder, 'A.md'), '#User : hello\n');
  expect(await run('ask', join(folder, 'A.md'), '--vault', folder)).toBe(0);
  expect(printed.err).toBe('');
});
