import {
  type Connection,
  messagePortWire,
  openWebSocket,
  type PortLike,
  reopening,
  type Wire,
} from '../../bridge';
import { type AppOperations, operations } from '../../contract/operations';

/** The preload posts one port for each load of the page, and another whenever the core was restarted. */
const portMessage = 'interlinear:port';

/** Electron is known by its scheme; everything else is a page of the Node host. */
export function connect(page: Window = window): Connection<AppOperations> {
  const open = page.location.protocol === 'app:' ? portsOf(page) : socketOf(page);
  const connection = reopening({ open, operations });
  page.addEventListener('online', () => connection.retryNow());
  return connection;
}

function portsOf(page: Window): () => Promise<Wire> {
  const waiting: MessagePort[] = [];
  let wanted: ((port: MessagePort) => void) | undefined;
  page.addEventListener('message', (event: MessageEvent) => {
    const port = event.ports[0];
    if (event.source !== page || event.data !== portMessage || !port) return;
    if (wanted) wanted(port);
    else waiting.push(port);
    wanted = undefined;
  });
  return async () => {
    const port = waiting.pop() ?? (await new Promise<MessagePort>((resolve) => (wanted = resolve)));
    return messagePortWire(port as PortLike, (closed) => port.addEventListener('close', closed));
  };
}

function socketOf(page: Window): () => Promise<Wire> {
  const address = new URL('bridge', page.location.origin.replace(/^http/, 'ws'));
  return () => openWebSocket(new WebSocket(address));
}
