import type { ToolEntry } from '../contract/tools';

/** What the finder looks at. */
type Findable = Pick<ToolEntry, 'name' | 'title' | 'serverName' | 'description'>;

/**
 * Finds tools by some words, best first; those equally good stay in the order given. Word by word: rare words count more
 * than common ones, names more than titles and servers, and these more than descriptions. Other endings, beginnings and
 * mistyped letters find, too, but less.
 */
export function toolFinder<T extends Findable>(tools: readonly T[]): (query: string) => T[] {
  let index: Index | undefined;
  return (query) => {
    const queryWords = askedWords(query);
    if (queryWords.length === 0) return [];
    index ??= indexOf(tools);
    const wholeName = joined(query);
    const sums = tools.map(() => ({ score: 0, words: 0, ofName: 0 }));
    for (const word of queryWords) {
      const matches = matchesOf(word, index);
      const rarity = Math.log(1 + (tools.length - matches.size + 0.5) / (matches.size + 0.5));
      for (const [at, { worth, ofName }] of matches) {
        const sum = sums[at];
        if (!sum) continue;
        sum.score += worth * rarity;
        sum.words += 1;
        sum.ofName += ofName;
      }
    }
    const ranked = tools
      .map((tool, at) => {
        const { score, words, ofName } = sums[at] ?? { score: 0, words: 0, ofName: 0 };
        return {
          tool,
          isNamed: joined(tool.name) === wholeName,
          score: score * words * (1 + Math.min(1, ofName)),
        };
      })
      .filter(({ score, isNamed }) => score > 0 || isNamed);
    const best = ranked.reduce((most, { score }) => Math.max(most, score), 0);
    return ranked
      .filter(({ score, isNamed }) => isNamed || score >= best * leastShare)
      .sort((a, b) => Number(b.isNamed) - Number(a.isNamed) || b.score - a.score)
      .map(({ tool }) => tool);
  };
}

/** What is worth less than this share of the best is chance. */
const leastShare = 0.1;
const longestText = 4000;
const mostWords = 32;

interface Posting {
  /** By where the word stands: name, title or server, description. */
  readonly weight: number;
  /** The share of the name that the word is. */
  readonly ofName: number;
}
interface Term {
  readonly stem: string;
  readonly postings: Map<number, Posting>;
  /** Whether it stands anywhere but in descriptions. */
  inNames: boolean;
}
interface Index {
  readonly terms: ReadonlyMap<string, Term>;
  /** The stems of what stands in names. */
  readonly named: ReadonlySet<string>;
}

function indexOf(tools: readonly Findable[]): Index {
  const terms = new Map<string, Term>();
  const add = (at: number, words: Iterable<string>, posting: Posting) => {
    for (const word of words) {
      let term = terms.get(word);
      if (!term) {
        term = { stem: stem(word), postings: new Map(), inNames: false };
        terms.set(word, term);
      }
      if (posting.weight > inDescription) term.inNames = true;
      if (!term.postings.has(at)) term.postings.set(at, posting);
    }
  };
  for (const [at, { name, title, serverName, description }] of tools.entries()) {
    const ofName = partsOf(name);
    // Also as one word: readfile, and GitHub, which is no two words.
    add(at, [...ofName, joined(name)], { weight: 2, ofName: 1 / Math.max(1, ofName.length) });
    for (const text of [title, serverName])
      add(at, [...partsOf(text), ...wordsOf(text)], { weight: 1.5, ofName: 0 });
    const told = wordsOf(description.slice(0, longestText)).filter(isTelling);
    add(at, told, { weight: inDescription, ofName: 0 });
  }
  const named = new Set([...terms.values()].flatMap(({ stem, inNames }) => (inNames ? [stem] : [])));
  return { terms, named };
}

const inDescription = 1;

/** The tools that a word finds: what each match is worth, and the share of the tool's name that it is. */
function matchesOf(word: string, { terms, named }: Index): Map<number, { worth: number; ofName: number }> {
  const matches = new Map<number, { worth: number; ofName: number }>();
  const stemOfWord = stem(word);
  const telling = isTelling(word);
  // What stands in a name is spelt right.
  const edits = named.has(stemOfWord) || !telling ? 0 : mostEdits(word);
  for (const [other, term] of terms) {
    const fit = other !== word && term.stem === stemOfWord ? 0.9 : fitOf(word, other, edits);
    const isInside = fit === 0 && telling && !/^[a-z\d]{1,2}$/.test(word) && other.includes(word);
    if (fit === 0 && !isInside) continue;
    const quality = isInside ? 0.3 : fit;
    for (const [at, { weight, ofName }] of term.postings) {
      if ((isInside || !telling) && weight === inDescription) continue;
      const before = matches.get(at);
      matches.set(at, {
        worth: Math.max(weight * quality, before?.worth ?? 0),
        ofName: Math.max(ofName * quality, before?.ofName ?? 0),
      });
    }
  }
  return matches;
}

/** 1: the same word, 0: another one. A beginning counts by its share of the word, with mistyped letters less. */
function fitOf(word: string, other: string, edits: number): number {
  if (word === other) return 1;
  const share = Math.min(1, word.length / other.length);
  if (other.startsWith(word)) return 0.4 + 0.4 * share;
  // In a short word the first letter is seldom the wrong one.
  if (edits === 0 || (word.length < 5 && word[0] !== other[0])) return 0;
  for (let most = 1; most <= edits; most++)
    if (begins(word, 0, other, 0, most)) return (0.5 - 0.1 * most) * share;
  return 0;
}

const mostEdits = (word: string) => (word.length < 3 ? 0 : word.length < 7 ? 1 : 2);

/** Whether a word is the beginning of another one but for some letters: missing, swapped, wrong or too many. */
function begins(word: string, i: number, other: string, j: number, edits: number): boolean {
  while (i < word.length && word[i] === other[j]) {
    i += 1;
    j += 1;
  }
  if (i === word.length) return true;
  if (edits === 0) return false;
  const left = edits - 1;
  return (
    begins(word, i, other, j + 1, left) ||
    (word[i] === other[j + 1] && word[i + 1] === other[j] && begins(word, i + 2, other, j + 2, left)) ||
    // With another or one letter less, three letters are any word.
    (word.length > 3 && (begins(word, i + 1, other, j + 1, left) || begins(word, i + 1, other, j, left)))
  );
}

/** Words that say something; where there are none, the last one, which may be the beginning of a name. */
function askedWords(query: string): readonly string[] {
  const words = wordsOf(query.slice(0, longestText));
  const telling = new Set(words.filter(isTelling));
  return telling.size > 0 ? [...telling].slice(0, mostWords) : words.slice(-1);
}

const isTelling = (word: string) => !stopWords.has(word) && !/^[a-z]$/.test(word);

/** A word also counts for its other endings: file, files, filed, filing. */
const stem = (word: string) =>
  /^[a-z]{5,}$/.test(word) ? word.replace(/(?:ies|ing|ed|es|s|y|e)$/, '') : word;

const stopWords = new Set(
  'an and are as at be by can do does for from has have how if in into is it its me my of on or our that the their then there this to up us use used using was we what when which who will with you your'.split(
    ' ',
  ),
);

const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
function wordsOf(text: string): string[] {
  const words = plain(text).match(/[\p{L}\p{N}]+/gu) ?? [];
  return hasUnspaced.test(text) ? words.flatMap(pairs) : words;
}
/** As `wordsOf`, and a word that has capitals inside by its parts: readFile, HTMLPage. */
const partsOf = (text: string): string[] =>
  wordsOf(text.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2'));
const joined = (text: string) => plain(text).replace(/[^\p{L}\p{N}]+/gu, '');

/** Scripts that are written without blanks between the words. */
const unspaced = String.raw`[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]`;
const hasUnspaced = new RegExp(unspaced, 'u');
const runs = new RegExp(`(${unspaced}+)`, 'u');

/** Where words cannot be told apart, each pair of signs is one. */
function pairs(word: string): string[] {
  return word.split(runs).flatMap((part) => {
    const signs = [...part];
    if (signs.length < 3 || !hasUnspaced.test(part)) return part === '' ? [] : [part];
    return signs.slice(1).map((sign, at) => `${signs[at]}${sign}`);
  });
}
