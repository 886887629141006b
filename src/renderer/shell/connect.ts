import {
  type Connection,
  enterWebSocket,
  entryText,
  messagePortWire,
  type PortLike,
  reopening,
  type Wire,
} from '../../bridge';
import { AppError } from '../../contract/errors';
import { type AppOperations, operations } from '../../contract/operations';
import { browserKey } from './browser-key';

/** The preload posts one port for each load of the page, and another whenever the core was restarted. */
const portMessage = 'interlinear:port';

export interface PageConnection extends Connection<AppOperations> {
  /** Tries again with an invitation: a code, or the address that holds it. */
  enterWith(invitation: string): void;
}

/** Electron is known by its scheme; everything else is a page of the Node host. */
export function connect(page: Window = window): PageConnection {
  let invitation = takeInvitation(page);
  const open = page.location.protocol === 'app:' ? portsOf(page) : socketOf(page, () => invitation);
  const connection = reopening({ open, operations });
  const enterWith = (text: string) => {
    invitation = invitationIn(text) ?? text.trim();
    connection.retryNow();
  };
  page.addEventListener('online', () => {
    if (connection.state.get().kind === 'waiting') connection.retryNow();
  });
  // The address was pasted where the page is already.
  page.addEventListener('hashchange', () => {
    const code = takeInvitation(page);
    if (code !== null) enterWith(code);
  });
  return { ...connection, enterWith };
}

/** The invitation of the page's address, which then holds it no longer. */
function takeInvitation(page: Window): string | null {
  const invitation = invitationIn(page.location.hash);
  if (invitation !== null) page.history.replaceState(null, '', page.location.pathname + page.location.search);
  return invitation;
}

const invitationIn = (text: string) => /#invitation=([\w-]+)/.exec(text)?.[1] ?? null;

function portsOf(page: Window): () => Promise<Wire> {
  const waiting: MessagePort[] = [];
  let resolvePort: ((port: MessagePort) => void) | undefined;
  page.addEventListener('message', (event: MessageEvent) => {
    const port = event.ports[0];
    if (event.source !== page || event.data !== portMessage || !port) return;
    if (resolvePort) resolvePort(port);
    else waiting.push(port);
    resolvePort = undefined;
  });
  return async () => {
    const port = waiting.pop() ?? (await new Promise<MessagePort>((resolve) => (resolvePort = resolve)));
    return messagePortWire(port as PortLike, (closed) => port.addEventListener('close', closed));
  };
}

function socketOf(page: Window, invitation: () => string | null): () => Promise<Wire> {
  const { origin } = page.location;
  const address = new URL('bridge', origin.replace(/^http/, 'ws'));
  const key = browserKey();
  const enter = async (nonce: string) => {
    const { publicKey, sign } = await key;
    return { key: publicKey, signature: await sign(entryText(nonce, origin)), invitation: invitation() };
  };
  return async () => {
    const wire = await enterWebSocket(new WebSocket(address), enter);
    if (wire === 'refused')
      throw new AppError('connection.refused', 'This browser is not let in to the app.', {});
    return wire;
  };
}
