import { isNear, wordsOf } from './words';

export interface Hit {
  readonly key: string;
  readonly score: number;
}

/** Ranked full-text search in memory over short texts with a title. */
export interface WordIndex {
  put(key: string, title: string, body: string): void;
  remove(key: string): void;
  /** Best first. Texts with all the words; where there are none, texts with some of them. */
  search(query: string): readonly Hit[];
}

/** A posting is a document's number and how much the word says about it, in one small integer. */
const weights = 16;
const heaviest = weights - 1;
const inTitle = 8;
const mostPrefixWords = 200;
const prefixWorth = 0.7;
const nearWorth = 0.4;

export function createWordIndex(): WordIndex {
  const postings = new Map<string, number[]>();
  /** Null: has to be sorted anew. */
  let sorted: string[] | null = null;
  let keys: (string | null)[] = [];
  let numbers = new Map<string, number>();
  const texts = new Map<string, { title: string; body: string }>();

  function put(key: string, title: string, body: string): void {
    remove(key);
    texts.set(key, { title, body });
  }

  function remove(key: string): void {
    texts.delete(key);
    const number = numbers.get(key);
    if (number === undefined) return;
    keys[number] = null;
    numbers.delete(key);
  }

  /** Texts wait until somebody searches, so that a start without a search costs nothing. */
  function catchUp(): void {
    const few = texts.size < 100 && sorted !== null;
    for (const [key, { title, body }] of texts) add(key, title, body, few);
    texts.clear();
    sorted ??= [...postings.keys()].sort();
  }

  function add(key: string, title: string, body: string, insert: boolean): void {
    const number = keys.length;
    keys.push(key);
    numbers.set(key, number);
    const found = new Map<string, number>();
    for (const word of wordsOf(body)) found.set(word, Math.min((found.get(word) ?? 0) + 1, inTitle - 1));
    for (const word of wordsOf(`${key} ${title}`)) {
      found.set(word, Math.min((found.get(word) ?? 0) + inTitle, heaviest));
    }
    for (const [word, weight] of found) {
      const list = postings.get(word);
      if (list) list.push(number * weights + weight);
      else {
        postings.set(word, [number * weights + weight]);
        if (insert && sorted) sorted.splice(placeOf(sorted, word), 0, word);
        else sorted = null;
      }
    }
  }

  /** Gone documents leave their postings behind; once they are many, the index is made anew. */
  function compact(): void {
    if (keys.length < 1000 || numbers.size * 2 > keys.length) return;
    const moved = new Map<number, number>();
    const kept: string[] = [];
    keys.forEach((key, number) => {
      if (key === null) return;
      moved.set(number, kept.length);
      kept.push(key);
    });
    for (const [word, list] of postings) {
      const alive = list.flatMap((posting) => {
        const number = moved.get(Math.floor(posting / weights));
        return number === undefined ? [] : [number * weights + (posting % weights)];
      });
      if (alive.length > 0) postings.set(word, alive);
      else postings.delete(word);
    }
    keys = kept;
    numbers = new Map(kept.map((key, number) => [key, number]));
    sorted = [...postings.keys()].sort();
  }

  function matches(word: string): { word: string; worth: number }[] {
    const all = sorted ?? [];
    const found: { word: string; worth: number }[] = [];
    for (let at = placeOf(all, word); at < all.length && found.length < mostPrefixWords; at++) {
      const each = all[at] ?? '';
      if (!each.startsWith(word)) break;
      found.push({ word: each, worth: each === word ? 1 : prefixWorth });
    }
    if (found.length > 0 || word.length < 4) return found;
    const most = word.length < 8 ? 1 : 2;
    return all.filter((each) => isNear(word, each, most)).map((each) => ({ word: each, worth: nearWorth }));
  }

  function search(query: string): readonly Hit[] {
    catchUp();
    compact();
    const words = [...new Set(wordsOf(query))].slice(0, 20);
    const scores = new Map<number, { score: number; words: number }>();
    for (const word of words) {
      const best = new Map<number, number>();
      for (const match of matches(word)) {
        const list = postings.get(match.word) ?? [];
        const rarity = Math.log(1 + keys.length / list.length) * match.worth;
        for (const posting of list) {
          const number = Math.floor(posting / weights);
          const score = rarity * (1 + Math.log2(posting % weights));
          if (score > (best.get(number) ?? 0)) best.set(number, score);
        }
      }
      for (const [number, score] of best) {
        const sum = scores.get(number);
        if (sum) {
          sum.score += score;
          sum.words++;
        } else scores.set(number, { score, words: 1 });
      }
    }
    const hits: (Hit & { words: number })[] = [];
    for (const [number, { score, words: matched }] of scores) {
      const key = keys[number];
      if (key !== null && key !== undefined) hits.push({ key, score, words: matched });
    }
    const full = hits.filter((hit) => hit.words === words.length);
    return (full.length > 0 ? full : hits).sort(
      (a, b) => b.words - a.words || b.score - a.score || (a.key < b.key ? -1 : 1),
    );
  }

  return { put, remove, search };
}

/** The first place whose word is not before this one. */
function placeOf(sorted: readonly string[], word: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? '') < word) low = middle + 1;
    else high = middle;
  }
  return low;
}
