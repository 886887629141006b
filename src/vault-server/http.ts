import { timingSafeEqual } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { localhostHostValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, type McpServerFactory } from '@modelcontextprotocol/server';
import type { ChangeSink } from './changes';

const largestRequest = 8 * 1024 * 1024;

/** Streamable HTTP at /mcp on a loopback address, for whoever sends the token; port 0 takes a free one. */
export async function listenHttp(
  { host, port, token }: { host: string; port: number; token: string },
  factory: McpServerFactory,
  report: (error: unknown) => void,
): Promise<{ url: string; sink: ChangeSink; close(): Promise<void> }> {
  const handler = createMcpHandler(factory, { maxRequestBodySize: largestRequest, onerror: report });
  const handle = toNodeHandler(handler, { maxRequestBodySize: largestRequest });
  const hostAllowed = localhostHostValidation();
  const answer: RequestListener = async (request, response) => {
    if (!hostAllowed(request, response)) return;
    const { origin, host: name, authorization = '' } = request.headers;
    // A page of another port is another program's.
    if (origin !== undefined && origin !== `http://${name}`) {
      response.writeHead(403).end();
      return;
    }
    if (!isSame(authorization, `Bearer ${token}`)) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
      return;
    }
    if (request.url?.split('?', 1)[0] !== '/mcp') {
      response.writeHead(404).end();
      return;
    }
    await handle(request, response);
  };
  const server = createServer(caught(answer, report));
  await listenOn(server, host, port);
  const { address, family, port: ownPort } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${ownPort}/mcp`,
    sink: handler.notify,
    close: async () => {
      await handler.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

/** What answering one request throws, at once or later, costs that request and nothing else. */
export const caught =
  (answer: RequestListener, report: (error: unknown) => void): RequestListener =>
  async (request, response) => {
    try {
      await answer(request, response);
    } catch (error) {
      report(error);
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    }
  };

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function listenOn(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
