import { heaviest, type Postings, weights } from './postings';

export interface SearchResult {
  /** Best first. */
  readonly keys: readonly string[];
  /** How many there are, those past `most` included. */
  readonly total: number;
}

export interface SearchOptions {
  /** Left out: every text. */
  accepts?(key: string): boolean;
  /** Only so many of the best. */
  readonly most?: number;
}

/** How much a word says about a text, by its weight there. */
const worths = Array.from({ length: weights }, (_, weight) => (weight === 0 ? 0 : 1 + Math.log2(weight)));
/** So that count × score × place stays within the whole numbers. */
const mostTexts = 2 ** 24;

/** How well each text answers the search at hand. */
export interface Scores {
  /** So many texts are searched, with so many words. */
  begin(texts: number, words: number): void;
  /** Counts one word of the query; `worthByWord`: words of the texts that it means. */
  count(worthByWord: ReadonlyMap<number, number>): void;
  /** Those with at least so many of the words; those with more of them, then those with higher scores first. */
  ranked(keys: readonly (string | null)[], least: number, options: SearchOptions): SearchResult;
  /** Forgets it all. */
  end(): void;
}

/** Longer than most: one loop over arrays that are made once, since a search has some milliseconds. */
export function createScores(postings: Postings): Scores {
  /** By text, and by word; all 0 between two searches. */
  let scores = new Float64Array(0);
  let best = new Float64Array(0);
  let matched = new Uint8Array(0);
  let rarities = new Float64Array(0);
  /** Texts that the word at hand is in, and that any word was in. */
  let having = new Uint32Array(0);
  let touched = new Uint32Array(0);
  let touches = 0;
  let texts = 0;

  function begin(textCount: number, wordCount: number): void {
    texts = textCount;
    touches = 0;
    if (rarities.length < wordCount) rarities = new Float64Array(wordCount * 2);
    if (best.length >= textCount) return;
    best = new Float64Array(textCount * 2);
    scores = new Float64Array(best.length);
    matched = new Uint8Array(best.length);
    having = new Uint32Array(best.length);
    touched = new Uint32Array(best.length);
  }

  function count(worthByWord: ReadonlyMap<number, number>): void {
    let size = 0;
    for (const [number, worth] of worthByWord) {
      rarities[number] = Math.log(1 + texts / postings.spread(number)) * worth;
    }
    postings.each([...worthByWord.keys()], rarities, (posting, rarity) => {
      const number = posting >>> 4;
      const score = rarity * (worths[posting & heaviest] ?? 0);
      const before = best[number] ?? 0;
      if (before === 0) having[size++] = number;
      if (score > before) best[number] = score;
    });
    for (const number of worthByWord.keys()) rarities[number] = 0;
    for (let at = 0; at < size; at++) {
      const number = having[at] ?? 0;
      if (matched[number] === 0) touched[touches++] = number;
      scores[number] = (scores[number] ?? 0) + (best[number] ?? 0);
      matched[number] = (matched[number] ?? 0) + 1;
      best[number] = 0;
    }
  }

  function ranked(keys: readonly (string | null)[], least: number, options: SearchOptions): SearchResult {
    const numbers = touched.subarray(0, touches);
    const { accepts, most = numbers.length } = options;
    const packs = new Float64Array(Math.min(numbers.length, 2 * most));
    let [total, size, floor] = [0, 0, 0];
    for (const number of numbers) {
      const count = matched[number] ?? 0;
      const key = keys[number];
      if (count < least || key === null || key === undefined || accepts?.(key) === false) continue;
      total++;
      // One number that sorts like all three: words, score, place.
      const score = Math.min(Math.round((scores[number] ?? 0) * 1e4), 1e7 - 1);
      const packed = (count * 1e7 + score) * mostTexts + (mostTexts - 1 - number);
      if (packed <= floor) continue;
      if (size === packs.length) {
        packs.sort().copyWithin(0, size - most);
        size = most;
        floor = packs[0] ?? 0;
      }
      packs[size++] = packed;
    }
    const sorted = packs.subarray(0, size).sort();
    const bestKeys: string[] = [];
    for (let at = size - 1; at >= 0 && bestKeys.length < most; at--) {
      const key = keys[mostTexts - 1 - ((sorted[at] ?? 0) % mostTexts)];
      if (key !== null && key !== undefined) bestKeys.push(key);
    }
    return { keys: bestKeys, total };
  }

  function end(): void {
    for (const number of touched.subarray(0, touches)) {
      scores[number] = 0;
      matched[number] = 0;
    }
  }

  return { begin, count, ranked, end };
}
