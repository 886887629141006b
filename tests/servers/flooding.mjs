// Answers a call without end. Arguments: the transport and, over standard output, what of; over HTTP the path says it.
import { createServer } from 'node:http';
import { tool } from './speak.mjs';

const [how, onlyKind] = process.argv.slice(2);
const json = (message) => JSON.stringify({ jsonrpc: '2.0', ...message });
const news = (method, params) => () => [json({ method, ...(params && { params }) })];
const log = (data) => news('notifications/message', { level: 'info', data });
const long = 'x'.repeat(1_000_000);
const piece = 'y'.repeat(60_000);

/** The messages of the nth round, or bytes as they are. */
const kinds = {
  ping: (n) => [json({ id: n, method: 'ping' })],
  'notifications/tools/list_changed': news('notifications/tools/list_changed'),
  'notifications/resources/list_changed': news('notifications/resources/list_changed'),
  'broken JSON': () => Array(500).fill('{'),
  'broken messages': () => Array(500).fill('{"jsonrpc":"2.0","id":{},"result":1}'),
  'answers to nobody': (n) =>
    Array.from({ length: 200 }, (_, i) => json({ id: 1e6 + n * 200 + i, result: {} })),
  'one answer again and again': () => Array(200).fill(json({ id: 0, result: {} })),
  progress: (n) =>
    Array(200).fill(json({ method: 'notifications/progress', params: { progressToken: 1, progress: n } })),
  'words for the log': () => Array(200).fill(log('words')()[0]),
  'long words for the log': log(long),
  'lists of messages': () => [
    `[${Array(2_000)
      .fill(json({ method: 'notifications/tools/list_changed' }))
      .join()}]`,
  ],
  'blank lines': () => '\n'.repeat(30_000),
  comments: () => ':\n'.repeat(15_000),
  'empty events': () => 'data:\n\n'.repeat(10_000),
  'fields of no event': () => 'retry: 0\nid: 1\n\n'.repeat(4_000),
  'short lines of one event': () => 'data: 1\n'.repeat(8_000),
  'a line without end': (n) => (n === 0 && how !== 'stdio' ? 'data: ' : '') + piece,
};

/** Whatever the reader takes. */
function pour(stream, kind, framed) {
  let n = 0;
  const next = () => {
    const round = kinds[kind](n++);
    return typeof round === 'string' ? round : round.map(framed).join('');
  };
  const go = () => {
    while (!stream.destroyed && stream.write(next()));
    if (!stream.destroyed) stream.once('drain', go);
  };
  stream.on('error', () => undefined);
  go();
}

function answer({ id, method: asked, params }) {
  const capabilities = { tools: { listChanged: true }, resources: { listChanged: true }, logging: {} };
  const results = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      capabilities,
      serverInfo: { name: 'f', version: '1' },
    },
    'tools/list': { tools: [tool('flood')] },
    'resources/list': { resources: [] },
    'logging/setLevel': {},
    ping: {},
  };
  const result = results[asked];
  const error = { code: -32601, message: 'Method not found' };
  return json({ id, ...(result ? { result } : { error }) });
}

if (how === 'stdio') {
  let rest = '';
  process.on('SIGTERM', () => undefined);
  process.stdin.setEncoding('utf8').on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const asked = JSON.parse(line);
      if (asked.method !== 'tools/call') {
        if (asked.id !== undefined && asked.method) process.stdout.write(`${answer(asked)}\n`);
      } else if (onlyKind === 'standard error') {
        const noise = 'noise\n'.repeat(10_000);
        const go = () => {
          while (process.stderr.write(noise));
          process.stderr.once('drain', go);
        };
        process.stderr.on('error', () => undefined);
        go();
      } else pour(process.stdout, onlyKind, (text) => `${text}\n`);
    }
  });
} else {
  const streams = new Map();
  const events = { 'content-type': 'text/event-stream' };
  const server = createServer(async (request, response) => {
    const kind = decodeURIComponent(request.url.slice(1));
    if (request.method === 'GET' && how === 'sse') {
      streams.set(kind, response.writeHead(200, events));
      return response.write(`event: endpoint\ndata: ${request.url}\n\n`);
    }
    // The flood of a stream of its own begins with the call, too.
    if (request.method === 'GET' && how === 'get') {
      const waiting = streams.get(kind);
      streams.set(kind, response.writeHead(200, events));
      response.flushHeaders();
      // Or the stream of a client that asks for it once more.
      if (typeof waiting === 'function') waiting();
      return;
    }
    if (request.method !== 'POST') return response.writeHead(405).end();
    let body = '';
    for await (const chunk of request) body += chunk;
    const asked = JSON.parse(body);
    if (asked.id === undefined || !asked.method) return response.writeHead(202).end();
    const isFlood = asked.method === 'tools/call';
    const asEvent = (text) => `data: ${text}\n\n`;
    const hasOwn = how === 'sse' || (how === 'get' && isFlood);
    if (how === 'sse') response.writeHead(202).end();
    else response.writeHead(200, isFlood ? events : { 'content-type': 'application/json' });
    const stream = hasOwn ? streams.get(kind) : response;
    // Neither of the two requests has to be the first.
    if (isFlood && !stream) return streams.set(kind, () => pour(streams.get(kind), kind, asEvent));
    if (isFlood) return pour(stream, kind, asEvent);
    if (how === 'sse') return stream.write(asEvent(answer(asked)));
    return response.end(answer(asked));
  });
  server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
}
