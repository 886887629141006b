import { createHash } from 'node:crypto';
import { joinedSources, type ReadSource, withContent } from '../../tools';

/** What answers wrote into a note, the newest first, and what had been read when they did. */
export type AnswersKept = readonly AnswerKept[];

interface AnswerKept {
  readonly carried: readonly ReadSource[];
  /** Hashes. */
  readonly words: readonly string[];
}

/** Of one note: what the app wrote longer ago counts as a stranger’s. */
const mostWords = 20_000;
/** Beyond that it is only told whose text it was. */
const mostSources = 100;
/** They tell a person where it came from. */
const mostPlaces = 5;

const hashOf = (kind: 'line' | 'card', text: string) =>
  createHash('sha256').update(`${kind}\n${text}`).digest('base64url').slice(0, 20);

export const isBlank = (line: string) => line.trim() === '';
export const lineHash = (line: string) => hashOf('line', line.trim());
/** How far in it stands, and the blanks at its ends, are no words. */
export const cardHash = (card: string) => {
  const plain = card.split('\n').map((line) => line.trim());
  return hashOf('card', plain.join('\n').trim());
};

export function withAnswer(answers: AnswersKept, { carried, words }: AnswerKept): AnswersKept {
  const sources = shortened(carried);
  const [newest] = answers;
  const isSame = newest && JSON.stringify(newest.carried) === JSON.stringify(sources);
  const fresh = { carried: sources, words: [...new Set([...words, ...(isSame ? newest.words : [])])] };
  let room = mostWords;
  return [fresh, ...(isSame ? answers.slice(1) : answers)].flatMap((one) => {
    const within = one.words.slice(0, room);
    room -= within.length;
    return within.length === 0 ? [] : { ...one, words: within };
  });
}

function shortened(carried: readonly ReadSource[]): ReadSource[] {
  const sources = joinedSources(carried);
  const one: ReadSource = { kind: 'answer', name: '', places: [], account: null, reads: [] };
  if (sources.length > mostSources)
    return [
      withContent(
        { ...one, reads: [...new Set(sources.flatMap(({ reads }) => reads))] },
        JSON.stringify(sources),
      ),
    ];
  return sources.map((source) => {
    const { contents = [] } = source;
    const short = contents.length > mostPlaces ? withContent(source, contents.join(' ')) : source;
    return { ...short, places: source.places.slice(0, mostPlaces) };
  });
}

/** By hash, what had been read by whoever wrote it: of several answers that say the same, the one that had read least. */
export function carriedByWords(answers: AnswersKept): ReadonlyMap<string, readonly ReadSource[]> {
  const byHash = new Map<string, readonly ReadSource[]>();
  for (const { carried, words } of answers)
    for (const hash of words) {
      const before = byHash.get(hash);
      if (!before || carried.length < before.length) byHash.set(hash, carried);
    }
  return byHash;
}
