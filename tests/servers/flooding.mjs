// Answers a call with the same message, without end. Arguments: the transport, the method.
import { createServer } from 'node:http';
import { tool } from './speak.mjs';

const [how, method] = process.argv.slice(2);
const message = (n) => JSON.stringify({ jsonrpc: '2.0', method, ...(method === 'ping' && { id: n }) });

/** Whatever the reader takes. */
function pour(stream, print) {
  let n = 0;
  const go = () => {
    while (!stream.destroyed && stream.write(print(message(n++))));
    if (!stream.destroyed) stream.once('drain', go);
  };
  stream.on('error', () => undefined);
  go();
}

function answer({ id, method: asked, params }) {
  const capabilities = { tools: { listChanged: true }, resources: { listChanged: true } };
  const results = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      capabilities,
      serverInfo: { name: 'f', version: '1' },
    },
    'tools/list': { tools: [tool('flood')] },
    'resources/list': { resources: [] },
    ping: {},
  };
  const result = results[asked];
  const error = { code: -32601, message: 'Method not found' };
  return JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) });
}

if (how === 'stdio') {
  let rest = '';
  process.stdin.setEncoding('utf8').on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const asked = JSON.parse(line);
      if (asked.method === 'tools/call') pour(process.stdout, (text) => `${text}\n`);
      else if (asked.id !== undefined && asked.method) process.stdout.write(`${answer(asked)}\n`);
    }
  });
  process.stdin.on('end', () => process.exit(0));
} else {
  let news = null;
  const events = { 'content-type': 'text/event-stream' };
  const server = createServer(async (request, response) => {
    if (request.method === 'GET' && how === 'sse') {
      news = response.writeHead(200, events);
      return news.write('event: endpoint\ndata: /mcp\n\n');
    }
    if (request.method !== 'POST') return response.writeHead(405).end();
    let body = '';
    for await (const chunk of request) body += chunk;
    const asked = JSON.parse(body);
    if (asked.id === undefined || !asked.method) return response.writeHead(202).end();
    const isFlood = asked.method === 'tools/call';
    if (how === 'sse') response.writeHead(202).end();
    else response.writeHead(200, isFlood ? events : { 'content-type': 'application/json' });
    const stream = how === 'sse' ? news : response;
    const asEvent = (text) => `data: ${text}\n\n`;
    if (isFlood) return pour(stream, asEvent);
    if (how === 'sse') return stream.write(asEvent(answer(asked)));
    return response.end(answer(asked));
  });
  server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
}
