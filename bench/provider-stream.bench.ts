import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { Settings } from '../src/contract/settings';
import { createLog, createPicture, openDatabase, systemClock } from '../src/core/foundation';
import { createProviders } from '../src/core/providers';
import { createMemorySecrets } from '../src/core/settings';
import { type Figure, interleaved, median, report } from './measure';

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

const settings = createPicture(Settings.parse({}));
const providers = createProviders({
  settings: { current: settings, change: () => settings.get() },
  secrets: createMemorySecrets(),
  environment: { OLLAMA_HOST: '127.0.0.1:1' },
  log: createLog(() => undefined),
  clock: systemClock,
  database: openDatabase(join(mkdtempSync(join(tmpdir(), 'bench-')), 'interlinear.db'), () => undefined),
});

/** Deltas a second; throws if not all came. */
async function timed(read: () => Promise<number>): Promise<number> {
  globalThis.gc?.();
  const from = performance.now();
  const count = await read();
  if (count !== deltas) throw new Error(`${count} of ${deltas} deltas came.`);
  return deltas / ((performance.now() - from) / 1000);
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

async function compare(
  what: string,
  our: () => Promise<number>,
  raw: () => Promise<number>,
): Promise<Figure> {
  await timed(our);
  const length = kept.length;
  await timed(raw);
  if (kept.length !== length) throw new Error('Both must read the same text.');
  const { ours: fast, peer } = await interleaved(
    rounds,
    () => timed(our),
    () => timed(raw),
  );
  const ratio = median(fast) / median(peer);
  return {
    what,
    ours: `${Math.round(median(fast)).toLocaleString('en')}/s`,
    peer: `${Math.round(median(peer)).toLocaleString('en')}/s`,
    ratio: `${ratio.toFixed(2)}×`,
    goal: '≥ 0.8×',
    met: ratio >= 0.8,
  };
}

const figures = [
  await compare('OpenAI chat deltas', () => ours('openai-compatible', 'openai-chat'), rawChat),
  await compare('Anthropic deltas', () => ours('anthropic', 'anthropic-messages'), rawMessages),
];
await worker.terminate();

report({
  title: 'A provider’s stream to `ModelEvent`s against the raw SDK loop',
  figures,
  notes: [
    `${deltas.toLocaleString('en')} deltas from 127.0.0.1 as fast as they are taken, median of ${rounds} rounds in turns; the provider runs in another thread.`,
    'The Vercel AI SDK is not installed here, so the goal of three times its speed was not measured.',
  ],
});
