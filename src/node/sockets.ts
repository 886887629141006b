import type { Server } from 'node:http';
import { WebSocketServer } from 'ws';
import { serveBridge, webSocketWire } from '../bridge';
import type { Handlers } from '../contract/define';
import { type AppOperations, operations } from '../contract/operations';
import type { Log } from '../core/foundation';
import type { Access } from './access';

/** Bytes of one message: a pasted picture or a very large note, with room. */
const largestMessage = 256 * 1024 * 1024;

/** Serves the bridge to sockets at `/bridge`; everyone else is hung up on. */
export function serveSockets({
  server,
  access,
  port,
  handlers,
  log,
}: {
  server: Server;
  access: Access;
  port: () => number;
  handlers: Handlers<AppOperations>;
  log: Log;
}): { close(): void } {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: largestMessage,
    perMessageDeflate: false,
    clientTracking: true,
  });
  server.on('upgrade', (request, socket, head) => {
    const verdict = access.check(request, port(), true);
    if (verdict.kind !== 'allowed' || request.url !== '/bridge') {
      log.warn('socket refused', { reason: verdict.kind === 'refused' ? verdict.reason : 'another address' });
      socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (accepted) =>
      serveBridge(webSocketWire(accepted), operations, handlers, (error, operation) =>
        log.error('operation failed', { operation, error }),
      ),
    );
  });
  return {
    close() {
      for (const client of sockets.clients) client.terminate();
      sockets.close();
    },
  };
}
