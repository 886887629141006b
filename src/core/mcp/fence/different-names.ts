import { randomInt } from 'node:crypto';
import { endOfString } from './strings';

const [quote, colon] = [0x22, 0x3a];
/** No server can make names that are taken for one another. */
const seed = randomInt(1, 2 ** 31);

/**
 * Whether JSON has more than `most` different names, without keeping any: each is known by 32 bits, so that a few may be taken for
 * one another.
 */
export function hasMoreNames(bytes: Uint8Array, most: number): boolean {
  /** Half of it stays free, so that a place is found soon. */
  const seen = new Uint32Array(2 ** Math.ceil(Math.log2(2 * most + 2)));
  let different = 0;
  let start = 0;
  let end = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === quote) {
      start = at + 1;
      at = endOfString(bytes, start);
      end = at;
    } else if (bytes[at] === colon && isNew(seen, markOf(bytes, start, end)) && ++different > most)
      return true;
  }
  return false;
}

function isNew(seen: Uint32Array, mark: number): boolean {
  for (let place = mark & (seen.length - 1); ; place = (place + 1) & (seen.length - 1)) {
    if (seen[place] === mark) return false;
    if (seen[place] !== 0) continue;
    seen[place] = mark;
    return true;
  }
}

/** Never 0, which is a free place. */
function markOf(bytes: Uint8Array, start: number, end: number): number {
  let mark = seed;
  for (let at = start; at < end; at++) mark = Math.imul(mark ^ (bytes[at] ?? 0), 0x01000193);
  mark ^= mark >>> 15;
  mark = Math.imul(mark, 0x2c1b3c6d);
  return (mark ^ (mark >>> 13)) >>> 0 || 1;
}
