import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import type { Damage } from './damage';
import { asked, handshake, type Script, unaskedLines } from './hostile-script';

export interface Web {
  readonly script: Script;
  readonly whole: Readonly<Record<string, string>>;
  readonly damage: Damage;
  /** Hands are shaken as they should be, and over a stream each question has its good answer, too. */
  readonly good: boolean;
  /** HTTP itself is wrong: statuses, headers, lengths, encodings, ends. */
  readonly rawly: boolean;
}

/** A server over HTTP that answers as a script says, its bytes cut anywhere; `gets`: how often its stream of news was asked for. */
export async function hostileWeb(web: Web): Promise<{ url: string; gets: () => number }> {
  const { damage, rawly, good } = web;
  const counts = new Map<string, number>();
  let gets = 0;

  function linesFor(id: unknown, method: string): string[] {
    const all = web.script[method];
    const count = counts.get(method) ?? 0;
    counts.set(method, count + 1);
    const whole = web.whole[method] ?? JSON.stringify({ jsonrpc: '2.0', id: '$ID', error: notFound });
    if (good && handshake.has(method)) return [asked(whole, id)];
    const hostile = (all?.[count % all.length] ?? []).map((line) => asked(line, id));
    return good ? [...hostile, asked(whole, id)] : hostile;
  }

  async function answer(body: string, response: ServerResponse): Promise<void> {
    const { id, method } = JSON.parse(body) as { id?: unknown; method?: string };
    if (id === undefined || method === undefined) return void response.writeHead(202).end();
    const lines = linesFor(id, method);
    const isStream = damage.random() < 0.5;
    const json = good && !handshake.has(method) ? lines.at(-2) : lines.at(-1);
    const bytes = Buffer.from(isStream ? events(damage, lines) : (json ?? 'null'), 'latin1');
    const type = isStream ? 'text/event-stream' : 'application/json';
    if (rawly && damage.random() < (handshake.has(method) ? 0.1 : 0.8))
      return raw(damage, bytes, type, response);
    response.writeHead(200, { 'content-type': type, 'mcp-session-id': 's' });
    await cut(damage, bytes, response);
    response.end();
  }

  const server = createServer(async (request, response) => {
    response.on('error', () => undefined);
    if (request.method === 'DELETE')
      return void response.writeHead(damage.oneOf([200, 202, 404, 405, 500])).end();
    if (request.method === 'GET') {
      gets++;
      return news(damage, response);
    }
    await answer(await bodyOf(request), response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, gets: () => gets };
}

const notFound = { code: -32_601, message: 'Method not found' };

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

/** A stream of news: nothing of it was asked for, and it ends as it likes. */
async function news(damage: Damage, response: ServerResponse): Promise<void> {
  const { oneOf, below, random } = damage;
  if (random() < 0.3) return void response.writeHead(oneOf([405, 404, 200, 400, 500])).end();
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  await cut(damage, Buffer.from(events(damage, unaskedLines(damage, below(6)))), response);
  const end = oneOf(['end', 'destroy', 'open'] as const);
  if (end === 'end') response.end();
  else if (end === 'destroy') response.destroy();
}

/** In events of every form in which they may come. */
function events({ oneOf, random }: Damage, lines: readonly string[]): string {
  const lineEnd = oneOf(['\n', '\n', '\r\n', '\r']);
  const fields = () =>
    random() < 0.2
      ? [
          oneOf([
            'id: 1',
            'id:',
            'retry: 0',
            'retry: -1',
            'retry: 99999999999',
            'event: message',
            ': x',
            'x',
            ':',
            'event: other',
            'id: \u0000',
          ]),
        ]
      : [];
  return lines
    .map((line) => [...fields(), `data:${oneOf([' ', '', '  '])}${line}`, ...fields(), '', ''].join(lineEnd))
    .join('');
}

/** In pieces that end anywhere, also within an event, a number or a letter. */
async function cut(
  { below, random }: Damage,
  bytes: Buffer,
  response: Pick<ServerResponse, 'write'>,
): Promise<void> {
  const pieces = random() < 0.7 ? 1 + below(6) : 1;
  const ends = Array.from({ length: pieces - 1 }, () => below(bytes.length)).sort((a, b) => a - b);
  let from = 0;
  for (const end of [...ends, bytes.length]) {
    response.write(bytes.subarray(from, end));
    from = end;
    if (pieces > 1) await new Promise((resolve) => setImmediate(resolve));
  }
}

const zeros = gzipSync(Buffer.alloc(100 * 1024 * 1024));

/** Written past Node's own server, which would not write such things. */
async function raw(damage: Damage, text: Buffer, type: string, response: ServerResponse): Promise<void> {
  const { oneOf, random, below } = damage;
  const { socket } = response;
  if (!socket) return;
  const encoding = oneOf(['', '', '', 'gzip', 'gzip', 'br', 'deflate', 'x-none', 'gzip, gzip']);
  const packed = oneOf([gzipSync(text), gzipSync(text).subarray(0, 12), text, zeros]);
  const body = encoding === '' ? text : packed;
  const length = oneOf<unknown>([
    body.length,
    body.length,
    below(body.length),
    body.length + 50,
    -1,
    'abc',
    '0x10',
    2 ** 60,
  ]);
  const isChunked = random() < 0.2;
  const status = oneOf([
    200, 200, 200, 200, 201, 202, 204, 205, 206, 301, 302, 304, 307, 308, 400, 401, 403, 404, 405, 408, 409,
    410, 415, 429, 500, 502, 503, 599, 999, 99,
  ]);
  const head = [
    oneOf([
      `HTTP/1.1 ${status} OK`,
      `HTTP/1.1 ${status} OK`,
      `HTTP/1.1 ${status}`,
      `HTTP/1.0 ${status} x`,
      'ICY 200 OK',
      `HTTP/9.9 ${status} OK`,
    ]),
    `content-type: ${oneOf([type, type, type, type.toUpperCase(), `${type}; charset=utf-16`, 'text/html', '', `${type}, ${type}`, 'x/y'])}`,
    ...(isChunked ? ['transfer-encoding: chunked'] : [`content-length: ${length}`]),
    ...(encoding === '' ? [] : [`content-encoding: ${encoding}`]),
    ...(random() < 0.3 ? [oneOf(headers)] : []),
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  if (isChunked)
    socket.write(
      oneOf([`${body.length.toString(16)}\r\n`, 'zz\r\n', '-1\r\n', 'ffffffffff\r\n', '5;x=y\r\n']),
    );
  await cut(damage, body, socket as unknown as ServerResponse);
  if (isChunked) socket.write(oneOf(['\r\n0\r\n\r\n', '0\r\n', '']));
  const end = oneOf(['end', 'end', 'destroy', 'open'] as const);
  if (end === 'end') socket.end();
  else if (end === 'destroy') socket.destroy();
}

const headers = [
  'mcp-session-id: ',
  `mcp-session-id: ${'s'.repeat(10_000)}`,
  'mcp-session-id: a\u0001b',
  'mcp-session-id: é☃',
  'www-authenticate: Bearer resource_metadata="/x", error="insufficient_scope", scope="a b"',
  'www-authenticate: Bearer resource_metadata="file:///etc/passwd"',
  'www-authenticate: ,,,="',
  'location: /mcp',
  'location: http://[',
  'location: file:///etc/passwd',
  'retry-after: 100000',
  'retry-after: -1',
  `x-long: ${'x'.repeat(20_000)}`,
  'set-cookie: a=b',
  'mcp-protocol-version: nonsense',
  'content-length: 3',
  'transfer-encoding: gzip',
];
