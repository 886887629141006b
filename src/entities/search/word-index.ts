import { createPostings } from './postings';
import { createVocabulary } from './vocabulary';
import { isNear, wordsOf } from './words';

export interface Found {
  /** Best first. */
  readonly keys: readonly string[];
  /** How many there are, those past `most` included. */
  readonly total: number;
}

export interface Wanted {
  /** Left out: every text. */
  accepts?(key: string): boolean;
  /** Only so many of the best. */
  readonly most?: number;
}

/** Ranked full-text search in memory over short texts with a title. */
export interface WordIndex {
  put(key: string, title: string, body: string): void;
  remove(key: string): void;
  /** Reads texts that were put, which searching does by itself, for so many milliseconds. True when all are read. */
  catchUp(milliseconds: number): boolean;
  /** Texts with all the words; where there are none, texts with some of them. */
  search(query: string, wanted?: Wanted): Found;
}

/** In the lowest four bits of a posting; the number of the text is above. */
const weights = 16;
const heaviest = weights - 1;
const inTitle = 8;
const mostPrefixWords = 200;
const prefixWorth = 0.7;
/** By weight. */
const worths = Array.from({ length: weights }, (_, weight) => (weight === 0 ? 0 : 1 + Math.log2(weight)));
/** So that count × score × place stays within the whole numbers. */
const mostTexts = 2 ** 24;
const nearWorth = 0.4;
/** New words up to this many are put in their places one by one. */
const fewWords = 200;

export function createWordIndex(): WordIndex {
  const vocabulary = createVocabulary();
  const postings = createPostings();
  /** All words in alphabetical order, as far as they were known then. */
  let sorted: number[] = [];
  let keys: (string | null)[] = [];
  let numbers = new Map<string, number>();
  const waiting = new Map<string, { title: string; body: string }>();
  /** Of the text that is being read, by word; all 0 between two texts. */
  let counts = new Uint8Array(1024);
  /** By text, and by word; all 0 between two searches. */
  let scores = new Float64Array(0);
  let best = new Float64Array(0);
  let matched = new Uint8Array(0);
  let rarities = new Float64Array(0);
  /** Texts that the word at hand is in, and that any word was in. */
  let having = new Uint32Array(0);
  let touched = new Uint32Array(0);

  function put(key: string, title: string, body: string): void {
    remove(key);
    waiting.set(key, { title, body });
  }

  function remove(key: string): void {
    waiting.delete(key);
    const number = numbers.get(key);
    if (number === undefined) return;
    keys[number] = null;
    numbers.delete(key);
  }

  function catchUp(milliseconds: number): boolean {
    const until = performance.now() + milliseconds;
    for (const [key, { title, body }] of waiting) {
      waiting.delete(key);
      add(key, title, body);
      if (performance.now() > until) break;
    }
    if (waiting.size > 0) return false;
    postings.settle();
    return true;
  }

  function add(key: string, title: string, body: string): void {
    const number = keys.length;
    keys.push(key);
    numbers.set(key, number);
    const found: number[] = [];
    const count = (word: number, weight: number, most: number): void => {
      if (word >= counts.length) {
        const before = counts;
        counts = new Uint8Array(before.length * 2);
        counts.set(before);
      }
      const before = counts[word] ?? 0;
      if (before === 0) found.push(word);
      counts[word] = Math.min(before + weight, most);
    };
    vocabulary.read(body, (word) => count(word, 1, inTitle - 1));
    vocabulary.read(`${key} ${title}`, (word) => count(word, inTitle, heaviest));
    for (const word of found) {
      postings.add(word, number * weights + (counts[word] ?? 0));
      counts[word] = 0;
    }
  }

  /** Gone texts leave their postings behind; once they are many, the index is made anew. */
  function compact(): void {
    if (keys.length < 1000 || numbers.size * 2 > keys.length) return;
    const moved = new Map<number, number>();
    const kept: string[] = [];
    keys.forEach((key, number) => {
      if (key === null) return;
      moved.set(number, kept.length);
      kept.push(key);
    });
    postings.rewrite((posting) => {
      const number = moved.get(posting >>> 4);
      return number === undefined ? null : number * weights + (posting & heaviest);
    });
    keys = kept;
    numbers = new Map(kept.map((key, number) => [key, number]));
  }

  function sort(): void {
    const added = vocabulary.size - sorted.length;
    if (added > fewWords) {
      const words = Array.from({ length: vocabulary.size }, (_, word) => vocabulary.word(word));
      sorted = words.map((_, word) => word).sort((a, b) => ((words[a] ?? '') < (words[b] ?? '') ? -1 : 1));
      return;
    }
    for (let word = sorted.length; word < vocabulary.size; word++) {
      sorted.splice(placeOf(vocabulary.word(word)), 0, word);
    }
  }

  /** The first place whose word is not before this one. */
  function placeOf(word: string): number {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (wordAt(middle) < word) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  const wordAt = (place: number): string => vocabulary.word(sorted[place] ?? -1);

  /** Words of the texts that are meant by one of the query, by their worth. */
  function matches(word: string): ReadonlyMap<number, number> {
    const found = new Map<number, number>();
    for (let at = placeOf(word); at < sorted.length && found.size < mostPrefixWords; at++) {
      const each = wordAt(at);
      if (!each.startsWith(word)) break;
      const number = sorted[at] ?? -1;
      if (postings.spread(number) > 0) found.set(number, each.length === word.length ? 1 : prefixWorth);
    }
    if (found.size > 0 || word.length < 4) return found;
    const most = word.length < 8 ? 1 : 2;
    for (const number of sorted) {
      if (postings.spread(number) > 0 && isNear(word, vocabulary.word(number), most)) {
        found.set(number, nearWorth);
      }
    }
    return found;
  }

  function search(query: string, wanted: Wanted = {}): Found {
    catchUp(Number.POSITIVE_INFINITY);
    compact();
    sort();
    const words = [...new Set(wordsOf(query))].slice(0, 20);
    if (rarities.length < vocabulary.size) rarities = new Float64Array(vocabulary.size * 2);
    if (best.length < keys.length) {
      best = new Float64Array(keys.length * 2);
      scores = new Float64Array(best.length);
      matched = new Uint8Array(best.length);
      having = new Uint32Array(best.length);
      touched = new Uint32Array(best.length);
    }
    let touches = 0;
    for (const word of words) {
      const meant = matches(word);
      let size = 0;
      for (const [number, worth] of meant) {
        rarities[number] = Math.log(1 + keys.length / postings.spread(number)) * worth;
      }
      postings.each([...meant.keys()], rarities, (posting, rarity) => {
        const number = posting >>> 4;
        const score = rarity * (worths[posting & heaviest] ?? 0);
        const before = best[number] ?? 0;
        if (before === 0) having[size++] = number;
        if (score > before) best[number] = score;
      });
      for (const number of meant.keys()) rarities[number] = 0;
      for (let at = 0; at < size; at++) {
        const number = having[at] ?? 0;
        if (matched[number] === 0) touched[touches++] = number;
        scores[number] = (scores[number] ?? 0) + (best[number] ?? 0);
        matched[number] = (matched[number] ?? 0) + 1;
        best[number] = 0;
      }
    }
    const numbers = touched.subarray(0, touches);
    const whole = ranked(numbers, words.length, wanted);
    const found = whole.total > 0 ? whole : ranked(numbers, 1, wanted);
    for (const number of numbers) {
      scores[number] = 0;
      matched[number] = 0;
    }
    return found;
  }

  /** Those with at least so many of the words; those with more of them, then those with higher scores first. */
  function ranked(numbers: Uint32Array, least: number, { accepts, most = numbers.length }: Wanted): Found {
    const kept = new Float64Array(Math.min(numbers.length, 2 * most));
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
      if (size === kept.length) {
        kept.sort().copyWithin(0, size - most);
        size = most;
        floor = kept[0] ?? 0;
      }
      kept[size++] = packed;
    }
    const sorted = kept.subarray(0, size).sort();
    const found: string[] = [];
    for (let at = size - 1; at >= 0 && found.length < most; at--) {
      const key = keys[mostTexts - 1 - ((sorted[at] ?? 0) % mostTexts)];
      if (key !== null && key !== undefined) found.push(key);
    }
    return { keys: found, total };
  }

  return { put, remove, catchUp, search };
}
