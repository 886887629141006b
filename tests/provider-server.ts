import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the next request gets, and how it is handed over. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** Bytes a write; 'random' is deterministic. Whole by default. */
  readonly pieces?: number | 'random';
  /** Milliseconds between two writes. */
  readonly pauseMs?: number;
  /** After this many bytes: destroy the socket, end cleanly, or send nothing more. */
  readonly cutAt?: number;
  readonly endAt?: number;
  readonly stallAt?: number;
}

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  /** Resolves when the answer was sent ('finished') or the client left before its end ('left'). */
  readonly ended: Promise<'finished' | 'left'>;
}

export interface ProviderServer {
  readonly url: string;
  readonly requests: SeenRequest[];
  /** Answers in the order of the requests; the last one is given again and again. */
  answer(...answers: Answer[]): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/** What an Ollama is asked about itself, beside the conversation. */
const aboutOllama = new Set(['/api/show', '/api/ps']);

/** A stand-in for any provider on 127.0.0.1. It knows nothing about itself, and does not count being asked. */
export async function startProviderServer(): Promise<ProviderServer> {
  const requests: SeenRequest[] = [];
  let answers: Answer[] = [];

  const server = createServer(async (request, response) => {
    if (aboutOllama.has(request.url ?? '')) {
      response.writeHead(404).end();
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    requests.push({
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: text === '' ? null : JSON.parse(text),
      ended: new Promise((resolve) => {
        response.on('close', () => resolve(response.writableFinished ? 'finished' : 'left'));
      }),
    });
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer) await give(answer, response);
    else response.writeHead(500).end('no answer left');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer(...next) {
      answers = next;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function give(answer: Answer, response: ServerResponse): Promise<void> {
  const whole = typeof answer.body === 'string' ? Buffer.from(answer.body) : Buffer.from(answer.body);
  const limit = answer.cutAt ?? answer.endAt ?? answer.stallAt ?? whole.length;
  response.writeHead(answer.status ?? 200, { 'content-type': 'text/event-stream', ...answer.headers });
  response.flushHeaders();
  for (const piece of split(whole.subarray(0, limit), answer.pieces)) {
    if (response.destroyed) return;
    await new Promise<void>((resolve) => response.write(piece, () => resolve()));
    if (answer.pauseMs) await new Promise((resolve) => setTimeout(resolve, answer.pauseMs));
  }
  if (answer.cutAt !== undefined) response.socket?.destroy();
  else if (answer.stallAt === undefined) response.end();
}

function* split(bytes: Buffer, pieces: Answer['pieces']): Generator<Buffer> {
  let seed = 7;
  for (let at = 0; at < bytes.length; ) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    const size = pieces === 'random' ? 1 + (seed % 97) : (pieces ?? bytes.length);
    yield bytes.subarray(at, at + size);
    at += size;
  }
}
