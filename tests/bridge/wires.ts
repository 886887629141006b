import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { WebSocket, WebSocketServer } from 'ws';
import {
  createWirePair,
  messagePortWire,
  openWebSocket,
  type PortLike,
  type Wire,
  webSocketWire,
} from '../../src/bridge';

export interface Joined {
  near: Wire;
  far: Wire;
  close(): void;
}

export const wires: Record<string, () => Promise<Joined>> = {
  'in-memory pair': async () => {
    const [near, far] = createWirePair();
    return { near, far, close: () => near.close() };
  },
  'message port': async () => {
    const { port1, port2 } = new MessageChannel();
    const wire = (port: typeof port1) =>
      messagePortWire(port as unknown as PortLike, (listener) => port.on('close', listener));
    const near = wire(port1);
    return { near, far: wire(port2), close: () => near.close() };
  },
  'web socket': async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    const accepted = once(server, 'connection') as Promise<[WebSocket]>;
    const near = await openWebSocket(
      new WebSocket(`ws://127.0.0.1:${(server.address() as { port: number }).port}`),
    );
    const far = webSocketWire((await accepted)[0]);
    return {
      near,
      far,
      close: () => {
        near.close();
        for (const client of server.clients) client.terminate();
        server.close();
      },
    };
  },
};
