import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export interface ImageAddresses {
  /** Where a page finds this picture of the vault for the next minutes. */
  addressOf(path: string): string;
  /** Whether an address was made here and its time is not over. */
  isOurs(address: URL): boolean;
}

/** An address is the same for so long, for the browser's cache, and good for as long again. */
const period = 5 * 60_000;

/** A picture is fetched without a word of who asks, so its address says that somebody who may see it was given it. */
export function createImageAddresses(now: () => number = Date.now): ImageAddresses {
  const secret = randomBytes(32);
  const sign = (pathname: string, until: string) =>
    createHmac('sha256', secret).update(`${until} ${pathname}`).digest('base64url');

  return {
    addressOf(path) {
      const pathname = `/files/${path.split('/').map(encodeURIComponent).join('/')}`;
      const until = String((Math.floor(now() / period) + 2) * period);
      return `${pathname}?until=${until}&sign=${sign(pathname, until)}`;
    },
    isOurs({ pathname, searchParams }) {
      const until = searchParams.get('until') ?? '';
      const signature = Buffer.from(searchParams.get('sign') ?? '');
      const right = Buffer.from(sign(pathname, until));
      return signature.length === right.length && timingSafeEqual(signature, right) && Number(until) >= now();
    },
  };
}
