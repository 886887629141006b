import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { Settings } from '../src/contract/settings';
import { createLog, createObservable, openDatabase, systemClock } from '../src/core/foundation';
import { createProviders } from '../src/core/providers';
import { createMemorySecrets } from '../tests/support/in-memory';
import { type Figure, interleaved, median, report } from './measure';
import { loadPeer } from './peer';

const deltas = 50_000;
const rounds = 7;

/** A provider in a thread of its own, so that only the reading side is measured. */
const server = `
const { createServer } = require('node:http');
const { parentPort } = require('node:worker_threads');
const line = (value, named) => (named ? 'event: ' + value.type + '\\n' : '') + 'data: ' + JSON.stringify(value) + '\\n\\n';
const chat = (delta, finish_reason = null) => line({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] });
const bodies = {
  '/v1/chat/completions': Array.from({ length: ${deltas} }, (_, at) => chat({ content: 'word' + (at % 100) + ' ' })).join('') + chat({}, 'stop') + 'data: [DONE]\\n\\n',
  '/v1/messages':
    line({ type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null, usage: { input_tokens: 1, output_tokens: 1 } } }, true) +
    line({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }, true) +
    Array.from({ length: ${deltas} }, (_, at) => line({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'word' + (at % 100) + ' ' } }, true)).join('') +
    line({ type: 'content_block_stop', index: 0 }, true) +
    line({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: ${deltas} } }, true) +
    line({ type: 'message_stop' }, true),
};
const ready = Object.fromEntries(Object.entries(bodies).map(([path, text]) => [path, Buffer.from(text)]));
const http = createServer((request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(ready[request.url]);
});
http.listen(0, '127.0.0.1', () => parentPort.postMessage(http.address().port));
`;

const worker = new Worker(server, { eval: true });
const port = await new Promise<number>((resolve) => worker.once('message', resolve));
const url = `http://127.0.0.1:${port}`;

const settings = createObservable(Settings.parse({}));
const providers = createProviders({
  settings: { current: settings, change: () => settings.get(), putBack: () => undefined },
  secrets: createMemorySecrets(),
  environment: { OLLAMA_HOST: '127.0.0.1:1' },
  log: createLog(() => undefined),
  clock: systemClock,
  database: openDatabase(join(mkdtempSync(join(tmpdir(), 'bench-')), 'interlinear.db'), () => undefined),
});

/** Microseconds of this thread's processor time for a delta; throws if not all came. */
async function timed(read: () => Promise<number>): Promise<number> {
  globalThis.gc?.();
  const from = process.threadCpuUsage();
  const count = await read();
  if (count !== deltas) throw new Error(`${count} of ${deltas} deltas came.`);
  const { user, system } = process.threadCpuUsage(from);
  return (user + system) / deltas;
}

const openai = new OpenAI({ apiKey: 'none', baseURL: `${url}/v1`, maxRetries: 0 });
const anthropic = new Anthropic({ apiKey: 'none', baseURL: url, maxRetries: 0 });
let kept = '';

async function rawChat(): Promise<number> {
  let count = 0;
  kept = '';
  const messages = [{ role: 'user' as const, content: 'Go.' }];
  for await (const chunk of await openai.chat.completions.create({ model: 'm', stream: true, messages })) {
    const text = chunk.choices[0]?.delta.content;
    if (!text) continue;
    kept += text;
    count++;
  }
  return count;
}

async function rawMessages(): Promise<number> {
  let count = 0;
  kept = '';
  const messages = [{ role: 'user' as const, content: 'Go.' }];
  const body = { model: 'm', max_tokens: 100_000, stream: true as const, messages };
  for await (const event of await anthropic.messages.create(body)) {
    if (event.type !== 'content_block_delta' || event.delta.type !== 'text_delta') continue;
    kept += event.delta.text;
    count++;
  }
  return count;
}

async function ours(vendor: string, format: 'openai-chat' | 'anthropic-messages'): Promise<number> {
  const config = { id: 'bench', vendor, tag: 'Bench', model: 'm', format, baseUrl: url };
  const provider = await providers.temporary(config, 'none');
  const messages = [{ role: 'user' as const, text: 'Go.', attachments: [] }];
  const request = { model: 'm', messages, tools: [] };
  let count = 0;
  kept = '';
  for await (const event of provider.stream(request, new AbortController().signal)) {
    if (event.kind !== 'text') continue;
    kept += event.text;
    count++;
  }
  return count;
}

const peer = await loadPeer<{
  readText(kind: 'chat' | 'messages', url: string, onText: (text: string) => void): Promise<void>;
}>('ai', 'stream.mjs');

async function theirs(kind: 'chat' | 'messages'): Promise<number> {
  let count = 0;
  kept = '';
  await peer?.readText(kind, url, (text) => {
    kept += text;
    count++;
  });
  return count;
}

const rate = (cost: number) => `${Math.round(1e6 / cost).toLocaleString('en')}/s, ${cost.toFixed(1)} µs`;

async function compare(
  what: string,
  ours: () => Promise<number>,
  other: () => Promise<number>,
  goal: number,
): Promise<Figure> {
  await timed(ours);
  const length = kept.length;
  await timed(other);
  if (kept.length !== length) throw new Error('Both must read the same text.');
  const costs = await interleaved(
    rounds,
    () => timed(ours),
    () => timed(other),
  );
  const ratio = median(costs.peer) / median(costs.ours);
  return {
    what,
    ours: rate(median(costs.ours)),
    peer: rate(median(costs.peer)),
    ratio: `${ratio.toFixed(2)}×`,
    goal: `≥ ${goal}×`,
    met: ratio >= goal,
  };
}

const chat = () => ours('openai-compatible', 'openai-chat');
const messages = () => ours('anthropic', 'anthropic-messages');
const figures = [
  await compare('OpenAI chat deltas, against the raw SDK loop', chat, rawChat, 0.8),
  await compare('Anthropic deltas, against the raw SDK loop', messages, rawMessages, 0.8),
];
if (peer) {
  figures.push(
    await compare('OpenAI chat deltas, against `streamText`', chat, () => theirs('chat'), 3),
    await compare('Anthropic deltas, against `streamText`', messages, () => theirs('messages'), 3),
  );
}
await worker.terminate();

report({
  title: 'A provider’s stream to `ModelEvent`s against the raw SDK loop and the AI SDK',
  figures,
  notes: [
    `${deltas.toLocaleString('en')} deltas from 127.0.0.1 as fast as they are taken, median of ${rounds} rounds in turns, by the processor time of the reading thread (also shown for one delta); the provider runs in another one.`,
    peer
      ? 'The AI SDK: `streamText` of ai 7.0.173 with @ai-sdk/openai 4.0.118 and @ai-sdk/anthropic 4.0.105, its `fullStream` read.'
      : 'The AI SDK could not be installed, so the goal of three times its speed was not measured.',
  ],
});
