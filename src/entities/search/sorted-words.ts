import type { Vocabulary } from './vocabulary';
import { isNear } from './words';

const mostPrefixWords = 200;
const prefixWorth = 0.7;
const nearWorth = 0.4;
/** New words up to this many are put in their places one by one. */
const fewWords = 200;

/** The words of a vocabulary in alphabetical order: which of them are meant by one that somebody looks for. */
export interface SortedWords {
  /** Takes in what came to the vocabulary since. */
  catchUp(): void;
  /** Words that are meant by one of a query, by their worth; of those that `isUsed`. */
  matches(word: string): ReadonlyMap<number, number>;
}

export function createSortedWords(vocabulary: Vocabulary, isUsed: (word: number) => boolean): SortedWords {
  /** As far as they were known then. */
  let sorted: number[] = [];

  function catchUp(): void {
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

  function matches(word: string): ReadonlyMap<number, number> {
    const worthByWord = new Map<number, number>();
    for (let at = placeOf(word); at < sorted.length && worthByWord.size < mostPrefixWords; at++) {
      const each = wordAt(at);
      if (!each.startsWith(word)) break;
      const number = sorted[at] ?? -1;
      if (isUsed(number)) worthByWord.set(number, each.length === word.length ? 1 : prefixWorth);
    }
    if (worthByWord.size > 0 || word.length < 4) return worthByWord;
    const most = word.length < 8 ? 1 : 2;
    for (const number of sorted) {
      if (isUsed(number) && isNear(word, vocabulary.word(number), most)) {
        worthByWord.set(number, nearWorth);
      }
    }
    return worthByWord;
  }

  return { catchUp, matches };
}
