import { diff } from '@codemirror/merge';
import { ChangeSet, type Text } from '@codemirror/state';

export interface CarriedOver {
  /** From the text that the editor shows to the new session's text. */
  readonly toSession: ChangeSet;
  /** The person's changes that the session lacks, to be applied to its text. */
  readonly mine: ChangeSet;
  /** From the text that the editor shows to the one it shows afterwards: carries the cursor. */
  readonly shown: ChangeSet;
}

/**
 * Brings changes that were never confirmed over to the text of another session. `confirmed` is the last text known
 * to be the core's; `local` are the changes since then, of which the first `sent` may have reached the core before it
 * was lost. How many of them it kept is told by the text: the number that leaves the smallest difference.
 */
export function carryOver(
  confirmed: Text,
  local: readonly ChangeSet[],
  sent: number,
  target: Text,
): CarriedOver {
  const goal = target.toString();
  let base = confirmed;
  let best = { kept: 0, base, difference: difference(base, goal) };
  for (let kept = 1; kept <= Math.min(sent, local.length); kept++) {
    base = local[kept - 1]?.apply(base) ?? base;
    const candidate = { kept, base, difference: difference(base, goal) };
    if (candidate.difference.size < best.difference.size) best = candidate;
  }
  const theirs = best.difference.changes;
  const rest = local
    .slice(best.kept)
    .reduce((all, changes) => all.compose(changes), ChangeSet.empty(best.base.length));
  return {
    toSession: rest.invert(best.base).compose(theirs),
    mine: rest.map(theirs),
    shown: theirs.map(rest, true),
  };
}

/** Whether a text can't be the same note by now: of the words of the shorter one, not even half stand in the other. */
export function isStrange(confirmed: Text, target: Text): boolean {
  const [before, after] = [wordsOf(confirmed), wordsOf(target)];
  const left = new Map<string, number>();
  for (const word of before) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of after) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    common += word.length;
  }
  return common * 2 < Math.min(lengthOf(before), lengthOf(after));
}

const wordsOf = (text: Text): string[] => text.toString().match(/[\p{L}\p{N}_]+/gu) ?? [];
const lengthOf = (words: readonly string[]) => words.reduce((sum, word) => sum + word.length, 0);

function difference(from: Text, goal: string): { changes: ChangeSet; size: number } {
  const found = diff(from.toString(), goal, { scanLimit: 1000, timeout: 200 });
  const changes = ChangeSet.of(
    found.map(({ fromA, toA, fromB, toB }) => ({ from: fromA, to: toA, insert: goal.slice(fromB, toB) })),
    from.length,
    '\n',
  );
  return { changes, size: found.reduce((sum, c) => sum + (c.toA - c.fromA) + (c.toB - c.fromB), 0) };
}
