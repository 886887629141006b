import type { Text } from '@codemirror/state';
import { type Change, type Hunk, isInsertion, nearTo } from './hunks';

/** What is written anew with something before or behind it is only put there: the blank behind a question with its answer. */
export function asInsertion(hunk: Hunk, base: Text): Hunk {
  const { from, to, insert, fromAfter, toAfter } = hunk;
  const [old, now] = [base.sliceString(from, to), insert.toString()];
  if (old === '' || now.length <= old.length) return hunk;
  const rest = (from: number, to: number) => insert.slice(from, to);
  if (now.endsWith(old))
    return {
      from,
      to: from,
      insert: rest(0, now.length - old.length),
      fromAfter,
      toAfter: toAfter - old.length,
    };
  if (!now.startsWith(old)) return hunk;
  if (old.trim() === '') return { ...hunk, to: from };
  return { from: to, to, insert: rest(old.length, now.length), fromAfter: fromAfter + old.length, toAfter };
}

/**
 * A turn that ours put at the end of one keeps apart from what theirs put there, though blank lines stood between: else their
 * words, which belong to the turn above, were said by whoever speaks in ours. Where in our text they come; null: there is none.
 */
export function aboveOurTurn(
  hunk: Hunk,
  ourHunks: readonly Hunk[],
  { base, theirText }: { readonly base: Text; readonly theirText: Text },
): Change | null {
  const { from, to, insert, fromAfter } = hunk;
  const words = withoutBreaks(insert.toString());
  if (words.trim() === '' || base.sliceString(from, to).trim() !== '') return null;
  const near = nearTo({ from: blanksBefore(base, from), to: from }, ourHunks);
  const ours = near.findLast((other) => isInsertion(other) && turnIn(other.insert) !== null);
  const turn = ours && turnIn(ours.insert);
  if (!ours || !turn || near.some((other) => other.from > ours.from)) return null;
  // At one place theirs come before ours, but for whole lines behind words of that line.
  if (ours.from === from && (turn.at === 0 || !words.startsWith('\n'))) return null;
  const blanks = theirText.sliceString(blanksBefore(theirText, fromAfter), fromAfter);
  return { from: ours.fromAfter + turn.at, insert: blanks + words };
}

/** The first turn in it that begins on a line of its own. `at`: where the line breaks above it begin. */
export function turnIn(insert: Text): { readonly tag: string; readonly at: number } | null {
  const text = insert.toString();
  const match = /\n#([^\n:：]{1,200})[:：]/.exec(text);
  return match && { tag: match[1]?.trim() ?? '', at: withoutBreaks(text.slice(0, match.index)).length };
}

function withoutBreaks(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n') end--;
  return text.slice(0, end);
}

/** Where the blank lines begin that end at a place. */
function blanksBefore(text: Text, at: number): number {
  const above = text.sliceString(Math.max(0, at - mostBlanks), at);
  return at - above.length + above.trimEnd().length;
}

/** More between two places makes them two. */
const mostBlanks = 1_000;
