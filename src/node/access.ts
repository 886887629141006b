import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export type Verdict =
  | { readonly kind: 'allowed' }
  /** The address's token was good: set this cookie and go on without the token. */
  | { readonly kind: 'welcome'; readonly cookie: string }
  | { readonly kind: 'refused'; readonly reason: string };

/** Who may talk to the host: browsers on this machine that came in by an address it printed. */
export interface Access {
  /** A new address that lets one browser in, once. */
  invite(port: number): string;
  check(request: IncomingMessage, port: number, upgrade?: boolean): Verdict;
}

const newSecret = () => randomBytes(32).toString('base64url');

export function createAccess(): Access {
  const session = newSecret();
  const invitations = new Set<string>();

  function redeem(token: string): boolean {
    for (const invitation of invitations) if (same(invitation, token)) return invitations.delete(invitation);
    return false;
  }

  return {
    invite(port) {
      const token = newSecret();
      invitations.add(token);
      return `http://127.0.0.1:${port}/?token=${token}`;
    },
    check({ headers, method, url }, port, upgrade = false) {
      // A name that was rebound to this machine is still another host, and another page is another origin.
      const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
      if (!hosts.includes(headers.host ?? '')) return refused('another host');
      const origin = headers.origin;
      if (origin === undefined ? upgrade : origin !== `http://${headers.host}`)
        return refused('another origin');
      // To a cookie another port of this machine is the same site.
      const from = String(headers['sec-fetch-site'] ?? 'same-origin');
      if (!['same-origin', 'none'].includes(from) && !isNavigation(headers)) return refused('another site');
      // Cookies do not know ports: the name does.
      const cookieName = `interlinear-${port}`;
      if (same(cookie(headers.cookie, cookieName), session)) return { kind: 'allowed' };
      const token = new URL(url ?? '/', 'http://host').searchParams.get('token');
      if (!upgrade && method === 'GET' && token !== null && redeem(token)) {
        return { kind: 'welcome', cookie: `${cookieName}=${session}; HttpOnly; SameSite=Strict; Path=/` };
      }
      return refused('no invitation');
    },
  };
}

function isNavigation(headers: IncomingMessage['headers']): boolean {
  return headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}

function refused(reason: string): Verdict {
  return { kind: 'refused', reason };
}

function cookie(header: string | undefined, name: string): string {
  const prefix = `${name}=`;
  const found = header
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(prefix));
  return found?.slice(prefix.length) ?? '';
}

function same(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
