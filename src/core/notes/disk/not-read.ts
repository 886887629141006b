import type { Text } from '@codemirror/state';

/** Lines of a text with how often they stand there; blank lines and fences stand in every note. */
export type Lines = ReadonlyMap<string, number>;

export function linesOf(text: Text): Lines {
  const counts = new Map<string, number>();
  for (const line of text.iterLines()) {
    const words = line.trim();
    if (words !== '' && !isFence.test(words)) counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  return counts;
}

/**
 * Whether whoever wrote `theirs` knew nothing of what was saved after `state`: of the lines that came hardly one stands there, nor one
 * that could be made of it, and those that went still do. By the lines, since letters of one text are found in any other.
 */
export function hasNotRead(state: Lines, saved: Lines, theirs: Lines): boolean {
  const since = beyond(saved, state);
  const gone = beyond(state, saved);
  const written = beyond(theirs, state);
  if (written.length * since.length > mostPairs) return false;
  const read = since.filter((line) => written.some((other) => isLike(line, other))).length;
  const stillThere = gone.filter((line) => (theirs.get(line) ?? 0) >= (state.get(line) ?? 0)).length;
  return read < since.length - read + stillThere;
}

/** How many lines one has that the other lacks. */
export const linesApart = (a: Lines, b: Lines): number => beyond(a, b).length + beyond(b, a).length;

const isFence = /^(?:`{3}|~{3})/;

/** More are not compared: of a note that was written anew nobody knows what was read for it. */
const mostPairs = 200_000;

/** Lines that one has, or has more often, than the other. */
const beyond = (lines: Lines, others: Lines): readonly string[] =>
  [...lines].flatMap(([line, count]) => (count > (others.get(line) ?? 0) ? [line] : []));

/** Half of the words of the longer one stand in the other, or all of the shorter one in their order; a tag is none of them. */
function isLike(a: string, b: string): boolean {
  if (a === b) return true;
  const [one, other] = [wordsIn(a), wordsIn(b)];
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  const there = new Set(long);
  const shared = short.filter((word) => there.has(word)).length;
  if (shared * 2 >= long.length && shared > 0) return true;
  return short.length > 1 && ` ${long.join(' ')} `.includes(` ${short.join(' ')} `);
}

const wordsIn = (line: string): readonly string[] =>
  line
    .replace(/^#[^\n:：]{1,200}[:：]/, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}_]+/gu) ?? [];
