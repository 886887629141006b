import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { repeating } from '../servers/repeating.mjs';

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly name?: string };
}

/** A server over HTTP that repeats what came with each request; the address without a path. */
export async function repeatingHttp(saidOf: (request: IncomingMessage) => string): Promise<string> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method = '', params = {} } = JSON.parse(Buffer.concat(parts).toString()) as Message;
    const said = saidOf(request);
    if (id === undefined || method === '') return void response.writeHead(202).end();
    const { name } = params;
    if (name === 'refused')
      return void response.writeHead(403, said, { 'content-type': 'text/plain' }).end(`forbidden: ${said}`);
    if (name === 'noise')
      return void response.writeHead(200, { 'content-type': `text/x; a=${said}` }).end(said);
    if (name === 'ends') return void response.destroy();
    const messages: object[] = [];
    const answer: unknown = repeating(said, (message: object) => messages.push(message))[method]?.(params);
    const error = { code: -32_000, message: `401 invalid token ${said}`, data: { said } };
    messages.push(answer === undefined ? { id, error } : { id, result: answer });
    const lines = messages.map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }));
    if (lines.length === 1)
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(lines[0]);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(lines.map((line) => `data: ${line}\n\n`).join(''));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
