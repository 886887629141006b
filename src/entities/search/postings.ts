/** Which words are in which texts. A posting is a text's number and how much the word says about it, in one integer. */
export interface Postings {
  add(word: number, posting: number): void;
  /** How many texts have the word, gone ones that are still in here included. */
  spread(word: number): number;
  /** Calls back with each posting of the words whose worth is over 0, and that worth. `worths` is by word. */
  each(words: readonly number[], worths: Float64Array, hear: (posting: number, worth: number) => void): void;
  /** Makes the next searches faster, after many were added. */
  settle(): void;
  /** Leaves out or changes postings; null leaves one out. */
  rewrite(change: (posting: number) => number | null): void;
}

/** In the lowest four bits of a posting; the number of the text is above. */
export const weights = 16;
export const heaviest = weights - 1;

const fewest = 1 << 15;

/**
 * Most are in one array, word by word, which is a tenth of the memory that a list a word takes. What comes later is in
 * a log, which is read whole, and from time to time becomes part of the array.
 */
export function createPostings(): Postings {
  let starts = new Uint32Array(1);
  let settled = new Uint32Array(0);
  let log = { words: new Uint32Array(1024), postings: new Uint32Array(1024), size: 0 };
  let spreads = new Uint32Array(1024);

  function add(word: number, posting: number): void {
    if (log.size === log.words.length) {
      log = { words: doubled(log.words), postings: doubled(log.postings), size: log.size };
    }
    log.words[log.size] = word;
    log.postings[log.size++] = posting;
    while (word >= spreads.length) spreads = doubled(spreads);
    spreads[word] = (spreads[word] ?? 0) + 1;
    if (log.size > Math.max(fewest, settled.length / 2)) rewrite((each) => each);
  }

  function rewrite(change: (posting: number) => number | null): void {
    const before = { starts, settled, log };
    const all = (hear: (word: number, posting: number) => void): void => {
      for (let word = 0; word + 1 < before.starts.length; word++) {
        const end = before.starts[word + 1] ?? 0;
        for (let at = before.starts[word] ?? 0; at < end; at++) {
          const changed = change(before.settled[at] ?? 0);
          if (changed !== null) hear(word, changed);
        }
      }
      for (let at = 0; at < before.log.size; at++) {
        const changed = change(before.log.postings[at] ?? 0);
        if (changed !== null) hear(before.log.words[at] ?? 0, changed);
      }
    };
    spreads.fill(0);
    let [total, words] = [0, 0];
    all((word) => {
      spreads[word] = (spreads[word] ?? 0) + 1;
      total++;
      if (word >= words) words = word + 1;
    });
    starts = new Uint32Array(words + 1);
    for (let word = 0; word < words; word++) starts[word + 1] = (starts[word] ?? 0) + (spreads[word] ?? 0);
    const next = starts.slice();
    settled = new Uint32Array(total);
    all((word, posting) => {
      const at = next[word] ?? 0;
      settled[at] = posting;
      next[word] = at + 1;
    });
    log = { words: new Uint32Array(1024), postings: new Uint32Array(1024), size: 0 };
  }

  return {
    add,
    spread: (word) => spreads[word] ?? 0,
    each: (words, worths, hear) => {
      for (const word of words) {
        const end = starts[word + 1] ?? 0;
        for (let at = starts[word] ?? 0; at < end; at++) hear(settled[at] ?? 0, worths[word] ?? 0);
      }
      for (let at = 0; at < log.size; at++) {
        const worth = worths[log.words[at] ?? 0] ?? 0;
        if (worth > 0) hear(log.postings[at] ?? 0, worth);
      }
    },
    settle: () => {
      if (log.size > fewest) rewrite((each) => each);
    },
    rewrite,
  };
}

function doubled(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const twice = new Uint32Array(array.length * 2);
  twice.set(array);
  return twice;
}
