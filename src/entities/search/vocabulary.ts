import { ownCopy } from '../base/own-copy';
import { wordsOf } from './words';

/** Words by numbers, from 0 on in the order in which they came. */
export interface Vocabulary {
  /** Calls back with the number of each word of a text, as often as it occurs. */
  read(text: string, hear: (word: number) => void): void;
  word(number: number): string;
  readonly size: number;
}

const longest = 64;
/** FNV-1a over the letters. */
const seed = 0x811c9dc5;
const prime = 0x01000193;

/** What a character of ASCII is in a word: 0 for none, else its lower case. */
const letters = Uint8Array.from({ length: 256 }, (_, code) => {
  const lower = code < 128 ? String.fromCharCode(code).toLowerCase() : '';
  return /[a-z0-9]/.test(lower) ? lower.charCodeAt(0) : 0;
});
const hyphen = 45;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/**
 * Reading a text makes strings only of words that are new; everything else is numbers. Longer than most: one table of
 * hashes and all that looks into it.
 */
export function createVocabulary(): Vocabulary {
  const words: string[] = [];
  let slots = new Int32Array(1 << 12).fill(-1);
  const buffer = new Uint8Array(longest);
  let bytes = new Uint8Array(1 << 16);
  const encoder = new TextEncoder();

  function grow(): void {
    slots = new Int32Array(slots.length * 2).fill(-1);
    words.forEach((word, number) => {
      slots[freeSlot(hashOf(word))] = number;
    });
  }

  function freeSlot(hash: number): number {
    const mask = slots.length - 1;
    let at = hash & mask;
    while (slots[at] !== -1) at = (at + 1) & mask;
    return at;
  }

  function add(word: string, slot: number): number {
    slots[slot] = words.length;
    words.push(word);
    if (words.length * 2 > slots.length) grow();
    return words.length - 1;
  }

  function ofString(word: string): number {
    const mask = slots.length - 1;
    let at = hashOf(word) & mask;
    for (let number = slots[at] ?? -1; number !== -1; number = slots[at] ?? -1) {
      if (words[number] === word) return number;
      at = (at + 1) & mask;
    }
    return add(ownCopy(word), at);
  }

  /** The word whose letters are in the buffer. */
  function ofBuffer(length: number, hash: number): number {
    const mask = slots.length - 1;
    let at = hash & mask;
    for (let number = slots[at] ?? -1; number !== -1; number = slots[at] ?? -1) {
      if (isInBuffer(words[number] ?? '', length)) return number;
      at = (at + 1) & mask;
    }
    return add(String.fromCharCode(...buffer.subarray(0, length)), at);
  }

  function isInBuffer(word: string, length: number): boolean {
    if (word.length !== length) return false;
    for (let at = 0; at < length; at++) if (word.charCodeAt(at) !== buffer[at]) return false;
    return true;
  }

  /** False, and nothing heard, for a text with other letters than ASCII's. */
  function readPlain(text: string, hear: (word: number) => void): boolean {
    if (text.length * 3 > bytes.length) bytes = new Uint8Array(text.length * 4);
    const { written } = encoder.encodeInto(text, bytes);
    if (written !== text.length) return false;
    bytes[written] = 0;
    let length = 0;
    let hash = seed;
    // Behind a hyphen a word goes on with digits only: ids and dates are one word each.
    let behindHyphen = false;
    for (let at = 0; at <= written; at++) {
      const byte = bytes[at] ?? 0;
      let code = letters[byte] ?? 0;
      const joins = byte === hyphen && length > 0 && at < written && isDigit(bytes[at + 1] ?? 0);
      if (joins) code = hyphen;
      if (length > 0 && (code === 0 || (behindHyphen && !joins && !isDigit(code)))) {
        hear(ofBuffer(length, hash));
        length = 0;
        hash = seed;
        behindHyphen = false;
      }
      if (joins) behindHyphen = true;
      if (code === 0 || length === longest) continue;
      buffer[length++] = code;
      hash = Math.imul(hash ^ code, prime);
    }
    return true;
  }

  return {
    read: (text, hear) => {
      if (readPlain(text, hear)) return;
      for (const word of wordsOf(text)) hear(ofString(word));
    },
    word: (number) => words[number] ?? '',
    get size() {
      return words.length;
    },
  };
}

function hashOf(word: string): number {
  let hash = seed;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), prime);
  return hash;
}
