import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createApp } from '../../src/core/app';
import { startCallingProvider } from '../chat/support/calling-provider';
import { startOllamaServer } from '../ollama-server';
import { createCommandLine } from './command-line';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A provider that says the words, one chunk each; with `hold` it never ends. */
async function provider(words: readonly string[], hold = false) {
  server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const chunk = (value: object) =>
      response.write(
        `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', ...value })}\n\n`,
      );
    for (const content of words) chunk({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
    if (hold) return;
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
    response.end('data: [DONE]\n\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return [
    '--provider',
    'openai-compatible',
    '--format',
    'openai-chat',
    '--model',
    'm',
    '--base-url',
    address,
  ];
}

function withNote() {
  const commandLine = createCommandLine({ createApp });
  const vault = join(commandLine.folder, 'vault');
  mkdirSync(vault);
  const note = join(vault, 'Note.md');
  writeFileSync(note, '#User : Hi\n');
  return { ...commandLine, note, text: () => readFileSync(note, 'utf8') };
}

test('the whole way: the answer is on standard output and in the note', async () => {
  const { run, printed, note, text } = withNote();
  expect(await run('ask', note, ...(await provider(['Hel', 'lo'])), '--tools', 'none')).toBe(0);
  expect(printed).toEqual({ out: 'Hello\n', err: '' });
  expect(text()).toContain('#User : Hi\n\n#OpenAI-compatible : Hello\n');
});

test('what the model does not take is said on standard error before its answer', async () => {
  const { run, printed, note } = withNote();
  writeFileSync(join(dirname(note), 'Paper.pdf'), '%PDF-1.4');
  writeFileSync(note, '#User : Sum up ![[Paper.pdf]]\n');
  expect(await run('ask', note, ...(await provider(['None.'])), '--tools', 'none')).toBe(0);
  expect(printed.out).toBe('None.\n');
  expect(printed.err).toContain('![[Paper.pdf]] is not sent: this model does not take application/pdf.');
});

test('tools of a server that comes up with the question, left out for a model that takes none, are told', async () => {
  await using ollama = await startOllamaServer({
    'gemma:2b': { contextLength: 8_192, capabilities: ['completion'] },
  });
  const { run, printed, note, folder } = withNote();
  const server = { command: process.execPath, args: [join(import.meta.dirname, '../servers/bench.mjs')] };
  mkdirSync(join(folder, 'data'));
  writeFileSync(join(folder, 'data/mcp.json'), JSON.stringify({ mcpServers: { bench: server } }));
  const options = ['--provider', 'ollama', '--model', 'gemma:2b', '--base-url', ollama.url];
  expect(await run('ask', note, ...options, '--events')).toBe(0);
  const words = 'gemma:2b cannot call tools: it is asked without them.';
  expect(printed.err).toBe(`[${words}]\n`);
  const [first] = printed.out.split('\n');
  expect(JSON.parse(first ?? '')).toEqual({ kind: 'notice', text: words });
});

test('a provider that cannot be reached is exit code 1, with its class as the event', async () => {
  const { run, printed, note } = withNote();
  const options = await provider([]);
  server?.close();
  expect(await run('ask', note, ...options, '--events')).toBe(1);
  const last = printed.out.trim().split('\n').at(-1);
  expect(JSON.parse(last ?? '')).toMatchObject({ kind: 'error', code: 'network' });
});

test('interrupted in the middle, what came is in the note', async () => {
  const { run, printed, note, text, interrupt } = withNote();
  const asking = run('ask', note, ...(await provider(['So far'], true)), '--events');
  await expect.poll(() => printed.out).toContain('So far');
  interrupt();
  expect(await asking).toBe(130);
  expect(text()).toContain('So far');
});

test('who cannot answer because the name means something else is told so, with exit code 3', async () => {
  const { run, printed, note } = withNote();
  expect(await run('ask', note, '--agent', 'User')).toBe(3);
  expect(printed.err).toContain('The tag “#User” cannot mean both what you say and what a model says.');
});

test.each([
  { more: [], end: 'denied' },
  { more: ['--allow-sending', 'bench/look'], end: 'ok' },
])(
  'a tool that may run without asking carries nothing outside unless it is named for that: $more',
  async ({ more, end }) => {
    const calling = await startCallingProvider();
    try {
      const { run, note, folder, text } = withNote();
      writeFileSync(join(dirname(note), 'Diary.md'), 'The tulips are under the shed.\n');
      writeFileSync(note, '#User : Look into [[Diary]]\n');
      const bench = {
        command: process.execPath,
        args: [join(import.meta.dirname, '../servers/bench.mjs'), join(folder, 'calls.txt')],
      };
      mkdirSync(join(folder, 'data'));
      writeFileSync(join(folder, 'data/mcp.json'), JSON.stringify({ mcpServers: { bench } }));
      const provider = ['--provider', 'openai-compatible', '--format', 'openai-chat', '--model', 'm'];
      const tools = ['--tools', 'bench/look', '--allow', 'bench/look'];
      expect(await run('ask', note, ...provider, '--base-url', calling.url, ...tools, ...more)).toBe(0);
      expect(text()).toContain(`result ${end}`);
      expect(existsSync(join(folder, 'calls.txt'))).toBe(end === 'ok');
    } finally {
      await calling.close();
    }
  },
);
