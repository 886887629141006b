import type { IncomingMessage } from 'node:http';

/** As it is written in addresses by which this machine reaches itself; the port may be a tunnel's. */
const ownName = /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/;

/**
 * Why a request is refused before anything else is looked at, or null. The page itself holds no secret: whoever reaches
 * this machine may load it. It can do nothing before its browser has entered.
 */
export function refusalOf({ headers }: IncomingMessage, isUpgrade = false): string | null {
  // A name that was rebound to this machine is still another host.
  if (!ownName.test(headers.host ?? '')) return 'another host';
  // A port is not an origin of its own to much of a browser: what stands here is compared whole.
  const { origin } = headers;
  if (origin === undefined ? isUpgrade : origin !== `http://${headers.host}`) return 'another origin';
  const from = headers['sec-fetch-site'] ?? 'same-origin';
  if (from !== 'same-origin' && from !== 'none' && !isNavigation(headers)) return 'another site';
  return null;
}

function isNavigation(headers: IncomingMessage['headers']): boolean {
  return headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}
