import type { Cause } from '../../../contract/server-faults';
import { hasMoreNames } from './different-names';
import { endOfString } from './strings';

type Excess = Extract<Cause, { code: 'too-deep' | 'too-many-values' | 'too-many-names' }>;

interface ParseLimits {
  readonly depth: number;
  readonly values: number;
  /** Different ones: to be read, copied and compared each costs some ten times as much as a value. */
  readonly names: number;
  /** Of all objects together those behind their first hundred: an object of many is slow, though others have the same. */
  readonly namesOfLarge?: number;
}

/** What may be parsed in the core's own thread; a message beyond it is refused before it becomes objects. */
export const parseLimits = { depth: 512, values: 500_000, names: 30_000, namesOfLarge: 100_000 };

const fewNames = 100;
const [quote, open, close, openList, closeList, comma, colon] = [0x22, 0x7b, 0x7d, 0x5b, 0x5d, 0x2c, 0x3a];

/**
 * Counts levels, values and names of JSON without parsing it: `null` where all are within the limits. What is no JSON at all
 * passes; the parser says so.
 */
export function scanJson(
  bytes: Uint8Array,
  {
    depth: deepest,
    values: most,
    names: mostNames,
    namesOfLarge = parseLimits.namesOfLarge,
  }: ParseLimits = parseLimits,
): Excess | null {
  /** Of each object around the place. */
  const names = new Uint32Array(deepest + 2);
  let depth = 0;
  let values = 1;
  let allNames = 0;
  let namesBehind = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) {
      at = endOfString(bytes, at + 1);
    } else if (byte === comma) {
      if (++values > most) return { code: 'too-many-values', most };
    } else if (byte === open || byte === openList) {
      values++;
      if (++depth > deepest) return { code: 'too-deep', most: deepest };
      names[depth] = 0;
    } else if (byte === colon) {
      allNames++;
      names[depth] = (names[depth] ?? 0) + 1;
      if ((names[depth] ?? 0) > fewNames && ++namesBehind > namesOfLarge)
        return { code: 'too-many-names', most: namesOfLarge };
    } else if (byte === close || byte === closeList) depth--;
  }
  return allNames > mostNames && hasMoreNames(bytes, mostNames)
    ? { code: 'too-many-names', most: mostNames }
    : null;
}

const responseId = /"id"\s*:\s*(-?\d{1,15}|"[\w.:-]{0,64}")\s*[,}]/;

/**
 * Which request a message that was not parsed may answer, as far as its first and last bytes tell. A guess: who asks
 * only ever fails a request of the same server with it.
 */
export function guessedId(bytes: Uint8Array): string | number | null {
  const near = 1024;
  for (const part of [bytes.subarray(0, near), bytes.subarray(Math.max(0, bytes.length - near))]) {
    const text = Buffer.from(part).toString('latin1');
    if (part.byteOffset === bytes.byteOffset && !looksLikeAnswer(bytes)) return null;
    const id = responseId.exec(text)?.[1];
    if (id !== undefined) return JSON.parse(id) as string | number;
  }
  return null;
}

const beginning = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 256)).toString('latin1');

/** Begins as a message of the protocol does, whatever comes of it. */
export const looksLikeMessage = (bytes: Uint8Array): boolean =>
  /^\s*[{[]/.test(beginning(bytes)) && /"jsonrpc"/.test(beginning(bytes));

/** An answer may hold questions, with methods of their own. */
export const looksLikeAnswer = (bytes: Uint8Array): boolean =>
  /"(method|result|error)"\s*:/.exec(beginning(bytes))?.[1] !== 'method';
