import { createPostings, heaviest, weights } from './postings';
import { createScores, type SearchOptions, type SearchResult } from './scores';
import { createSortedWords } from './sorted-words';
import { createVocabulary } from './vocabulary';
import { wordsOf } from './words';

/** Ranked full-text search in memory over short texts with a title. */
export interface WordIndex {
  put(key: string, title: string, body: string): void;
  remove(key: string): void;
  /** Reads texts that were put, which searching does by itself, for so many milliseconds. True when all are read. */
  catchUp(milliseconds: number): boolean;
  /** Texts with all the words; where there are none, texts with some of them. */
  search(query: string, options?: SearchOptions): SearchResult;
}

/** The weight of a word of a title. */
const inTitle = 8;

/** Longer than most: texts come, go and are renumbered, all by the same two lists. */
export function createWordIndex(): WordIndex {
  const vocabulary = createVocabulary();
  const postings = createPostings();
  const sorted = createSortedWords(vocabulary, (word) => postings.spread(word) > 0);
  const scores = createScores(postings);
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
    const words: number[] = [];
    const count = (word: number, weight: number, most: number): void => {
      if (word >= counts.length) {
        const before = counts;
        counts = new Uint8Array(before.length * 2);
        counts.set(before);
      }
      const before = counts[word] ?? 0;
      if (before === 0) words.push(word);
      counts[word] = Math.min(before + weight, most);
    };
    vocabulary.read(body, (word) => count(word, 1, inTitle - 1));
    vocabulary.read(`${key} ${title}`, (word) => count(word, inTitle, heaviest));
    for (const word of words) {
      postings.add(word, number * weights + (counts[word] ?? 0));
      counts[word] = 0;
    }
  }

  /** Gone texts leave their postings behind; once they are many, the index is made anew. */
  function compact(): void {
    if (keys.length < 1000 || numbers.size * 2 > keys.length) return;
    const moved = new Map<number, number>();
    const present: string[] = [];
    keys.forEach((key, number) => {
      if (key === null) return;
      moved.set(number, present.length);
      present.push(key);
    });
    postings.rewrite((posting) => {
      const number = moved.get(posting >>> 4);
      return number === undefined ? null : number * weights + (posting & heaviest);
    });
    keys = present;
    numbers = new Map(present.map((key, number) => [key, number]));
  }

  function search(query: string, options: SearchOptions = {}): SearchResult {
    catchUp(Number.POSITIVE_INFINITY);
    compact();
    sorted.catchUp();
    const words = [...new Set(wordsOf(query))].slice(0, 20);
    scores.begin(keys.length, vocabulary.size);
    for (const word of words) scores.count(sorted.matches(word));
    const whole = scores.ranked(keys, words.length, options);
    const answer = whole.total > 0 ? whole : scores.ranked(keys, 1, options);
    scores.end();
    return answer;
  }

  return { put, remove, catchUp, search };
}
