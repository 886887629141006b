import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  localhostHostValidation,
  localhostOriginValidation,
  toNodeHandler,
} from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createStore } from './store';
import { listFiles } from './tools/list-files';
import { listWorkspaces } from './tools/list-workspaces';
import { readDocs } from './tools/read-docs';
import { updateDoc } from './tools/update-doc';

export interface VaultServer {
  /** Over this process's standard streams, until standard input ends. */
  serveStdio(): { close(): Promise<void> };
  /** Streamable HTTP on a loopback address; port 0 takes a free one. */
  listen(address: { host: string; port: number }): Promise<{ url: string; close(): Promise<void> }>;
}

const largestRequest = 8 * 1024 * 1024;
const loopback = new Set(['127.0.0.1', '::1', 'localhost']);

export function isLoopback(host: string): boolean {
  return loopback.has(host);
}

/** The MCP server of one vault; serves clients of both protocol eras. */
export function createVaultServer(parts: {
  readonly root: string;
  readonly version: string;
  /** Hears of unexpected errors. */
  readonly report: (error: unknown) => void;
}): VaultServer {
  const { root, version, report } = parts;
  const shared = { store: createStore({ root }) };
  const tools = [listWorkspaces(shared), listFiles(shared), readDocs(shared), updateDoc(shared)];

  const factory = (): McpServer => {
    const server = new McpServer(
      { name: 'interlinear-vault', title: 'Vault', version },
      {
        capabilities: { tools: {} },
        instructions:
          'Notes of one vault. Paths are relative to it, with forward slashes. Read before you change, and pass expected_hash.',
      },
    );
    for (const tool of tools) tool.register(server, report);
    return server;
  };

  return {
    serveStdio: () => serveStdio(factory, { onerror: report }),
    listen: async ({ host, port }) => {
      const handler = createMcpHandler(factory, { maxRequestBodySize: largestRequest, onerror: report });
      const handle = toNodeHandler(handler, { maxRequestBodySize: largestRequest });
      const hostAllowed = localhostHostValidation();
      const originAllowed = localhostOriginValidation();
      const server = createServer((request, response) => {
        if (!hostAllowed(request, response) || !originAllowed(request, response)) return;
        if (request.url?.split('?', 1)[0] !== '/mcp') {
          response.writeHead(404).end();
          return;
        }
        void handle(request, response);
      });
      await bound(server, host, port);
      const { address, family, port: taken } = server.address() as AddressInfo;
      return {
        url: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}/mcp`,
        close: async () => {
          await handler.close();
          server.closeAllConnections();
          await new Promise<void>((resolve) => {
            server.close(() => resolve());
          });
        },
      };
    },
  };
}

function bound(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
