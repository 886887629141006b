import { createPostings } from './postings';
import { createVocabulary } from './vocabulary';
import { isNear, wordsOf } from './words';

export interface Hit {
  readonly key: string;
}

/** Ranked full-text search in memory over short texts with a title. */
export interface WordIndex {
  put(key: string, title: string, body: string): void;
  remove(key: string): void;
  /** Reads texts that were put, which searching does by itself, for so many milliseconds. True when all are read. */
  catchUp(milliseconds: number): boolean;
  /** Best first. Texts with all the words; where there are none, texts with some of them. */
  search(query: string): readonly Hit[];
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
      if (performance.now() > until) return waiting.size === 0;
    }
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

  function search(query: string): readonly Hit[] {
    catchUp(Number.POSITIVE_INFINITY);
    compact();
    sort();
    const words = [...new Set(wordsOf(query))].slice(0, 20);
    const scores = new Float64Array(keys.length);
    const matched = new Uint8Array(keys.length);
    const best = new Float64Array(keys.length);
    const rarities = new Float64Array(vocabulary.size);
    for (const word of words) {
      best.fill(0);
      const meant = matches(word);
      for (const [number, worth] of meant) {
        rarities[number] = Math.log(1 + keys.length / postings.spread(number)) * worth;
      }
      postings.each([...meant.keys()], rarities, (posting, rarity) => {
        const number = posting >>> 4;
        const score = rarity * (worths[posting & heaviest] ?? 0);
        if (score > (best[number] ?? 0)) best[number] = score;
      });
      for (const number of meant.keys()) rarities[number] = 0;
      for (let number = 0; number < best.length; number++) {
        const score = best[number] ?? 0;
        if (score === 0) continue;
        scores[number] = (scores[number] ?? 0) + score;
        matched[number] = (matched[number] ?? 0) + 1;
      }
    }
    const hits = ranked(scores, matched, words.length);
    return hits.length > 0 ? hits : ranked(scores, matched, 1);
  }

  /** Texts with at least so many of the words; those with more of them, then those with higher scores first. */
  function ranked(scores: Float64Array, matched: Uint8Array, least: number): Hit[] {
    const found: number[] = [];
    for (let number = 0; number < scores.length; number++) {
      const count = matched[number] ?? 0;
      if (count < least || count === 0 || keys[number] === null) continue;
      // One number that sorts like all three: words, score, place.
      const score = Math.min(Math.round((scores[number] ?? 0) * 1e4), 1e7 - 1);
      found.push((count * 1e7 + score) * mostTexts + (mostTexts - 1 - number));
    }
    const hits: Hit[] = [];
    for (const packed of new Float64Array(found).sort().reverse()) {
      const key = keys[mostTexts - 1 - (packed % mostTexts)];
      if (key !== null && key !== undefined) hits.push({ key });
    }
    return hits;
  }

  return { put, remove, catchUp, search };
}
