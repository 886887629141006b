import type { Text } from '@codemirror/state';

/**
 * Whether whoever wrote `doc` knew nothing of what was saved after `state`: hardly a line of it stands there, nor any that could be made
 * of one. By the lines, since letters of one text are found in any other.
 */
export function hasNotRead(
  { state, saved }: { readonly state: Text; readonly saved: Text },
  doc: Text,
): boolean {
  const [before, after, theirs] = [state, saved, doc].map(linesOf) as [Lines, Lines, Lines];
  const since = beyond(after, before);
  if (since.length === 0) return false;
  const written = beyond(theirs, before);
  if (written.length * since.length > mostPairs) return false;
  const likes = since.filter((line) => written.some((other) => isLike(line, other)));
  return likes.length * byChance < since.length;
}

type Lines = ReadonlyMap<string, number>;

/** More are not compared: of a note that was written anew nobody knows what was read for it. */
const mostPairs = 200_000;

/** One in so many lines is like another that has nothing to do with it. */
const byChance = 4;

/** It stands in every note with code. */
const isFence = /^(?:`{3}|~{3})/;

function linesOf(text: Text): Lines {
  const counts = new Map<string, number>();
  for (const line of text.iterLines()) {
    const words = line.trim();
    if (words !== '' && !isFence.test(words)) counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  return counts;
}

/** Lines that one has, or has more often, than the other. */
const beyond = (lines: Lines, others: Lines): readonly string[] =>
  [...lines].flatMap(([line, count]) => (count > (others.get(line) ?? 0) ? [line] : []));

/** Half of the words of the shorter one stand in the other; the tag at its beginning is none of them. */
function isLike(a: string, b: string): boolean {
  if (a === b) return true;
  const [one, other] = [wordsOf(a), wordsOf(b)];
  const [short, long] = one.length <= other.length ? [one, new Set(other)] : [other, new Set(one)];
  return short.length > 0 && short.filter((word) => long.has(word)).length * 2 >= short.length;
}

const wordsOf = (line: string): readonly string[] =>
  line
    .replace(/^#[^\n:：]{1,200}[:：]/, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}_]+/gu) ?? [];
