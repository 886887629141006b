import type { Wire } from '../wire';
import { type SocketLike, webSocketWire } from './web-socket';

/**
 * Before frames go over a socket the core challenges the page, and the page signs with a key that its browser keeps and
 * never shows, not even to us. So nothing that lies on a disk, goes over the wire or is sent to a stranger on our port
 * lets anybody in, and there is no cookie, which a browser would send to every port of this machine.
 */
export type EntryMessage =
  | { readonly t: 'challenge'; readonly nonce: string }
  | { readonly t: 'entered' }
  | { readonly t: 'refused' };

export interface EnterMessage {
  /** The public key: SPKI in base64url. */
  readonly key: string;
  /** Of `entryText`: ECDSA with P-256 and SHA-256, in base64url. */
  readonly signature: string;
  readonly invitation: string | null;
}

/** The origin is in it, so that no other page can have it signed for itself. */
export function entryText(nonce: string, origin: string): string {
  return `interlinear\n${nonce}\n${origin}`;
}

/** Resolves when the socket was let in: to a wire; to `refused` where this browser is not known or no longer. */
export function enterWebSocket(
  socket: SocketLike,
  answer: (nonce: string) => Promise<EnterMessage>,
): Promise<Wire | 'refused'> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    const end = (error: Error) => {
      isOver = true;
      socket.close();
      reject(error);
    };
    // Always followed by close; unheard it would be thrown in Node.
    socket.addEventListener('error', () => undefined);
    socket.addEventListener('close', () => end(new Error('The socket did not open.')));
    socket.addEventListener('message', ({ data }) => {
      if (isOver) return;
      const message = messageOf(data);
      switch (message?.t) {
        case 'challenge':
          answer(message.nonce).then((entry) => socket.send(JSON.stringify(entry)), end);
          return;
        case 'entered':
          isOver = true;
          return resolve(webSocketWire(socket));
        case 'refused':
          isOver = true;
          socket.close();
          return resolve('refused');
        case undefined:
          return end(new Error('That is no core of ours.'));
      }
    });
  });
}

function messageOf(data: unknown): EntryMessage | undefined {
  try {
    const message = JSON.parse(String(data)) as Partial<EntryMessage & { nonce: unknown }> | null;
    if (message?.t === 'entered' || message?.t === 'refused') return { t: message.t };
    return message?.t === 'challenge' && typeof message.nonce === 'string'
      ? { t: 'challenge', nonce: message.nonce }
      : undefined;
  } catch {
    return undefined;
  }
}
