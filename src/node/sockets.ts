import { randomBytes } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { type EnterMessage, type EntryMessage, serveBridge, webSocketWire } from '../bridge';
import type { Handlers } from '../contract/define';
import { type AppOperations, operations } from '../contract/operations';
import type { Log } from '../core/foundation';
import { type Access, refusalOf, type Session } from './access';

/** Bytes of one message: a pasted picture or a very large note, with room. */
const largestMessage = 256 * 1024 * 1024;
/** What a stranger may send, and how long it may take them, and how many of them may stand at the door. */
const largestEntry = 4096;
const entryTime = 10_000;
const mostStrangers = 64;

const Entry = z.object({
  key: z.string().max(512),
  signature: z.string().max(512),
  invitation: z.string().max(512).nullable(),
});

/** Serves the bridge at `/bridge` to browsers that are known or were invited; everyone else is hung up on. */
export function serveSockets({
  server,
  access,
  port,
  handlers,
  onEntered,
  log,
}: {
  server: Server;
  access: Access;
  port: () => number;
  handlers: Handlers<AppOperations>;
  onEntered: () => void;
  log: Log;
}): { close(): void } {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: largestMessage,
    perMessageDeflate: false,
    clientTracking: true,
  });
  const guests = new Map<WebSocket, Session['id']>();
  let strangers = 0;

  const stopFollowing = access.onChange(() => {
    const ids = new Set(access.sessions().map(({ id }) => id));
    for (const [socket, id] of guests) if (!ids.has(id)) socket.terminate();
  });

  server.on('upgrade', (request, socket, head) => {
    const reason = refusalOf(request, true) ?? (request.url === '/bridge' ? null : 'another address');
    if (reason !== null || strangers >= mostStrangers) {
      log.warn('socket refused', { reason: reason ?? 'too many at once' });
      // Whoever is refused may be gone already.
      socket.on('error', () => socket.destroy());
      socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (accepted) => {
      receive(accepted, request, socket).catch((error: unknown) => {
        log.error('socket failed', { error });
        accepted.terminate();
      });
    });
  });

  async function receive(accepted: WebSocket, { headers }: IncomingMessage, stream: Duplex): Promise<void> {
    const say = (message: EntryMessage) => accepted.send(JSON.stringify(message));
    const nonce = randomBytes(32).toString('base64url');
    strangers++;
    say({ t: 'challenge', nonce });
    const entry = await entryOf(accepted, stream);
    strangers--;
    if (entry === null) return accepted.terminate();
    const { origin = '', 'user-agent': browser = '' } = headers;
    const session = access.enter({ ...entry, nonce, origin, port: port(), browser: browser.slice(0, 300) });
    if (session === null) {
      log.warn('browser refused', { origin });
      say({ t: 'refused' });
      return accepted.close();
    }
    guests.set(accepted, session.id);
    accepted.once('close', () => guests.delete(accepted));
    say({ t: 'entered' });
    serveBridge(webSocketWire(accepted), operations, handlers, (error, operation) =>
      log.error('operation failed', { operation, error }),
    );
    onEntered();
  }

  return {
    close() {
      stopFollowing();
      for (const client of sockets.clients) client.terminate();
      sockets.close();
    },
  };
}

/** The first message of a socket; null where it is none, too much, too late or not one of ours. */
function entryOf(socket: WebSocket, stream: Duplex): Promise<EnterMessage | null> {
  return new Promise((resolve) => {
    let bytes = 0;
    const count = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > largestEntry) end(null);
    };
    const end = (entry: EnterMessage | null) => {
      clearTimeout(timer);
      stream.off('data', count);
      resolve(entry);
    };
    const timer = setTimeout(() => end(null), entryTime);
    stream.on('data', count);
    socket.on('error', () => undefined);
    socket.once('close', () => end(null));
    socket.once('message', (data) => {
      try {
        end(Entry.parse(JSON.parse(String(data))));
      } catch {
        end(null);
      }
    });
  });
}
