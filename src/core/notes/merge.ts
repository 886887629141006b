import { ChangeSet, Text } from '@codemirror/state';

interface Hunk {
  readonly from: number;
  readonly to: number;
  readonly insert: Text;
  /** Where the inserted text stands in the text that the changes lead to. */
  readonly fromAfter: number;
  readonly toAfter: number;
}

export interface Merged {
  /** For our text. */
  readonly changes: ChangeSet;
  /** How many places both sides had changed in different ways; both are in the text. */
  readonly conflicts: number;
}

export const conflictTitle = 'Changed by another program at the same time';

/**
 * Joins two sides that changed the same text: `ours` and `theirs` both lead away from it. Where they overlap ours
 * stays, and their lines are put below in a callout: nothing that either side wrote is lost.
 */
export function merge(ours: ChangeSet, theirs: ChangeSet, ourText: Text, theirText: Text): Merged {
  const ourHunks = hunksOf(ours);
  const taken: { from: number; to: number; insert: Text | string }[] = [];
  const after: { from: number; to: number; insert: Text | string }[] = [];
  const blocks = new Map<string, { from: number; insert: string }>();
  let conflicts = 0;
  for (const hunk of hunksOf(theirs)) {
    const met = ourHunks.filter((other) => overlap(hunk, other));
    if (met.some((other) => isSame(hunk, other))) continue;
    if (met.length === 0) {
      if (isBelow(hunk, ourHunks, theirText)) {
        after.push({ from: hunk.from, to: hunk.to, insert: hunk.insert });
        continue;
      }
      taken.push(apart(hunk, ourHunks, theirText));
      continue;
    }
    conflicts++;
    const [first, last] = [theirText.lineAt(hunk.fromAfter), theirText.lineAt(hunk.toAfter)];
    const lines = theirText.sliceString(first.from, last.to).split('\n');
    if (lines.every((line) => line.trim() === '')) continue;
    const end = Math.max(hunk.to, ...met.map((other) => other.to));
    const insert = `\n> [!warning] ${conflictTitle}\n${lines.map((line) => `> ${line}`).join('\n')}`;
    blocks.set(`${first.from} ${last.to}`, { from: ourText.lineAt(ours.mapPos(end, 1)).to, insert });
  }
  const fitting = ChangeSet.of(taken, ours.length).map(ours, true);
  const below = ChangeSet.of(after, ours.length).map(ours);
  return { changes: ChangeSet.of([fitting, below, ...blocks.values()], ours.newLength), conflicts };
}

function hunksOf(changes: ChangeSet): Hunk[] {
  const hunks: Hunk[] = [];
  changes.iterChanges((from, to, fromAfter, toAfter, insert) => {
    hunks.push({ from, to, insert, fromAfter, toAfter });
  });
  return hunks;
}

const isInsertion = ({ from, to }: Hunk) => from === to;

function isSame(a: Hunk, b: Hunk): boolean {
  return a.from === b.from && a.to === b.to && a.insert.eq(b.insert);
}

/** Two insertions at one place go one after the other: only equal ones meet. */
function overlap(a: Hunk, b: Hunk): boolean {
  if (isInsertion(a) && isInsertion(b)) return isSame(a, b);
  return a.from < b.to && b.from < a.to;
}

/** Their whole lines, put at the end of a line that is just being typed, go below what is typed there. */
function isBelow(hunk: Hunk, ourHunks: readonly Hunk[], theirText: Text): boolean {
  const typed = ourHunks.find((other) => isInsertion(other) && other.from === hunk.from);
  const isWhole = isInsertion(hunk) && hunk.insert.lines > 1 && hunk.insert.line(1).length === 0;
  const continues = theirText.lineAt(hunk.fromAfter).from < hunk.fromAfter;
  return isWhole && continues && typed !== undefined && typed.insert.line(1).length > 0;
}

/** Their insertion comes before ours at the same place; whole lines stay whole. */
function apart(
  hunk: Hunk,
  ourHunks: readonly Hunk[],
  theirText: Text,
): { from: number; to: number; insert: Text } {
  const { from, to, insert } = hunk;
  const joined = ourHunks.find((other) => isInsertion(other) && other.from === from);
  const startsLine = theirText.lineAt(hunk.fromAfter).from === hunk.fromAfter;
  const endsLine = insert.line(insert.lines).length === 0;
  const continues = joined?.insert.line(1).length !== 0;
  if (!joined || !isInsertion(hunk) || !(startsLine || insert.lines > 1) || endsLine || !continues)
    return { from, to, insert };
  return { from, to, insert: insert.append(Text.of(['', ''])) };
}
