import { WebSocket } from 'ws';
import { type EnterMessage, enterWebSocket, entryText, type Wire } from '../../src/bridge';

/** A browser as far as the host can tell: its key, and the address that it believes its page has. */
export async function createBrowser() {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const { privateKey, publicKey } = await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify']);
  const base64url = (bytes: ArrayBuffer) => Buffer.from(bytes).toString('base64url');
  const key = base64url(await crypto.subtle.exportKey('spki', publicKey));

  async function answer(nonce: string, origin: string, invitation: string | null): Promise<EnterMessage> {
    const text = new TextEncoder().encode(entryText(nonce, origin));
    return { key, signature: base64url(await crypto.subtle.sign(algorithm, privateKey, text)), invitation };
  }

  return {
    answer,
    /** Opens an address as it was printed, or one without an invitation. `headers` go over the browser's own. */
    async enter(address: string, headers: Record<string, string> = {}): Promise<Wire | 'refused'> {
      const { host, origin, hash } = new URL(address);
      const invitation = new URLSearchParams(hash.slice(1)).get('invitation');
      const socket = new WebSocket(`ws://${host}/bridge`, { headers: { origin, ...headers } });
      return enterWebSocket(socket, (nonce) => answer(nonce, headers.origin ?? origin, invitation));
    },
  };
}
