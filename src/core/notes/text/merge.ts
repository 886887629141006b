import { ChangeSet, Text } from '@codemirror/state';
import { aboveOurTurn, asInsertion, turnIn } from './above-turn';
import { diff, resembles } from './diff';
import { type Change, type Hunk, hunksOf, isInsertion, nearTo } from './hunks';

export interface Merged {
  /** For our text. */
  readonly changes: ChangeSet;
  /** How many places both sides had changed: `both` are in the text, or ours alone where theirs was only `deleted`. */
  readonly conflicts: { readonly both: number; readonly deleted: number };
}

export const conflictTitle = 'Changed by another program at the same time';

/**
 * Joins two sides that changed the same text, `base`: `ours` and `theirs` both lead away from it. Where they overlap ours
 * stays, and their lines are put below in a callout: nothing that either side wrote is lost. Where both wrote much the same
 * at one place it is there once, with what theirs has beyond it.
 */
export function merge(
  base: Text,
  { ours, theirs }: { readonly ours: ChangeSet; readonly theirs: ChangeSet },
  ourText: Text,
  theirText: Text,
): Merged {
  const whole = whereOneHasAll(base, { ours, theirs }, ourText, theirText);
  if (whole) return { changes: whole, conflicts: { both: 0, deleted: 0 } };
  const ourHunks = hunksOf(ours).map((hunk) => asInsertion(hunk, base));
  const conflicts = { both: 0, deleted: 0 };
  const quotes: Quote[] = [];
  let rest: Hunk[] = [];
  /** For our text. */
  const added: Change[] = [];
  for (const hunk of hunksOf(theirs)) {
    const above = aboveOurTurn(hunk, ourHunks, { base, theirText });
    if (above) {
      added.push(above);
      continue;
    }
    const near = nearTo(hunk, ourHunks);
    const met = near.filter((other) => overlap(hunk, other, base));
    if (met.some((other) => isSame(hunk, other))) continue;
    if (met.length === 0 || alikeOf(hunk, near)) rest.push(hunk);
    else if (hunk.insert.length === 0) conflicts.deleted++;
    else {
      conflicts.both++;
      const end = ours.mapPos(Math.max(hunk.to, ...met.map(({ to }) => to)), 1);
      quotes.push({ from: hunk.fromAfter, to: hunk.toAfter, end });
    }
  }
  rest = rest.filter((hunk) => !joinsQuote(hunk, quotes, theirText, ours));

  /** For the text that both began with. */
  const accepted: Change[] = [];
  const below: Change[] = [];
  for (const hunk of rest) {
    const near = nearTo(hunk, ourHunks);
    const alike = alikeOf(hunk, near);
    if (alike) {
      const { inserted, replaced } = beyond(alike.insert, hunk.insert);
      for (const { at, insert } of inserted) added.push({ from: alike.fromAfter + at, insert });
      for (const { from, to, at } of replaced) {
        conflicts.both++;
        quotes.push({ from: hunk.fromAfter + from, to: hunk.fromAfter + to, end: alike.fromAfter + at });
      }
    } else if (isBelow(hunk, near, theirText))
      below.push({ from: hunk.from, to: hunk.to, insert: hunk.insert });
    else accepted.push(apart(hunk, near, theirText));
  }
  const fitting = ChangeSet.of(accepted, ours.length).map(ours, true);
  const joined = ChangeSet.of([fitting, ChangeSet.of(below, ours.length).map(ours), added], ours.newLength);
  const text = joined.apply(ourText);
  const quoted = ChangeSet.of(callouts(quotes, text, theirText, joined), text.length);
  return { changes: joined.compose(quoted), conflicts };
}

/**
 * Whoever read what the other one wrote has all of it, wherever a comparison with the text before both would see it: among like
 * lines that is not where it was written. Null: neither has.
 */
function whereOneHasAll(
  base: Text,
  { ours, theirs }: { readonly ours: ChangeSet; readonly theirs: ChangeSet },
  ourText: Text,
  theirText: Text,
): ChangeSet | null {
  if (ours.empty || theirs.empty) return null;
  const isTheirs = ourText.length <= theirText.length;
  // What either took away is not to come back.
  const hasKept = isTheirs
    ? onlyInserts(ours) || oneInsertion(base, ourText)
    : onlyInserts(theirs) || oneInsertion(base, theirText);
  if (!hasKept) return null;
  const more = isTheirs ? insertedInto(ourText, theirText) : insertedInto(theirText, ourText);
  if (!more) return null;
  return isTheirs ? more : ChangeSet.empty(ourText.length);
}

/** Null where that alone does not lead from one text to the other. */
function insertedInto(from: Text, to: Text): ChangeSet | null {
  const changes = diff(from, to);
  return onlyInserts(changes) ? changes : oneInsertion(from, to);
}

/** A comparison by words takes one that was cut off for another. */
function oneInsertion(from: Text, to: Text): ChangeSet | null {
  const [before, after] = [from.toString(), to.toString()];
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  let end = after.length - (before.length - start);
  if (end < start || !after.endsWith(before.slice(start))) return null;
  // Of like beginnings of words the whole word is what was put there.
  while (start > 0 && isInWord(after, start) && after[start - 1] === after[end - 1]) {
    start--;
    end--;
  }
  return ChangeSet.of({ from: start, insert: after.slice(start, end) }, before.length, '\n');
}

const onlyInserts = (changes: ChangeSet) => hunksOf(changes).every(isInsertion);

/** Their lines from here to there, to stand below the line of our text that ends with `end`. */
interface Quote {
  from: number;
  to: number;
  end: number;
}

/** What theirs changed in a line that is quoted is in the quote, and is not made a second time. */
function joinsQuote(hunk: Hunk, quotes: readonly Quote[], theirText: Text, ours: ChangeSet): boolean {
  const quote = quotes.find(
    ({ from, to }) =>
      theirText.lineAt(from).from <= hunk.toAfter && hunk.fromAfter <= theirText.lineAt(to).to,
  );
  if (!quote) return false;
  quote.from = Math.min(quote.from, hunk.fromAfter);
  quote.to = Math.max(quote.to, hunk.toAfter);
  quote.end = Math.max(quote.end, ours.mapPos(hunk.to, 1));
  return true;
}

function callouts(quotes: readonly Quote[], text: Text, theirText: Text, joined: ChangeSet): Change[] {
  const byLines = new Map<string, Change>();
  for (const { from, to, end } of quotes) {
    const [first, last] = [theirText.lineAt(from), theirText.lineAt(to)];
    const lines = theirText.sliceString(first.from, last.to).split('\n');
    const insert = `\n> [!warning] ${conflictTitle}\n${lines.map((line) => `> ${line}`).join('\n')}`;
    const at = joined.mapPos(end, -1);
    // Where nothing of the line is left it is the next one that begins there.
    const line = text.lineAt(at).from === at ? Math.max(0, at - 1) : at;
    byLines.set(`${first.from} ${last.to}`, { from: text.lineAt(line).to, insert });
  }
  return [...byLines.values()];
}

/** What ours put there that theirs put there much in the same words; a turn is like nothing but one of the same tag. */
const alikeOf = (hunk: Hunk, near: readonly Hunk[]): Hunk | undefined =>
  near.find(
    (other) =>
      touches(hunk, other) &&
      turnIn(other.insert)?.tag === turnIn(hunk.insert)?.tag &&
      resembles(other.insert, hunk.insert),
  );

/** What theirs has that ours lacks, by places in ours; what is another text in ours, by places in theirs. */
function beyond(ours: Text, theirs: Text) {
  const inserted: { at: number; insert: Text }[] = [];
  const replaced: { from: number; to: number; at: number }[] = [];
  diff(ours, theirs).iterChanges((from, to, fromAfter, toAfter, insert) => {
    if (from === to) inserted.push({ at: from, insert });
    else if (fromAfter < toAfter) replaced.push({ from: fromAfter, to: toAfter, at: to });
  });
  return { inserted, replaced };
}

function isSame(a: Hunk, b: Hunk): boolean {
  return a.from === b.from && a.to === b.to && a.insert.eq(b.insert);
}

/**
 * Two insertions at one place go one after the other: only equal ones meet. Words that one puts where the other takes some out
 * of a line stay there, and what both take out of it is out.
 */
function overlap(a: Hunk, b: Hunk, base: Text): boolean {
  if (isInsertion(a) && isInsertion(b)) return isSame(a, b);
  const fits = (hunk: Hunk) => (isInsertion(hunk) || takesWords(hunk, base)) && isCertain(hunk, base);
  return a.from < b.to && b.from < a.to && !(fits(a) && fits(b));
}

/** Out of a line of which something is left. */
function takesWords({ from, to, insert }: Hunk, base: Text): boolean {
  const line = base.lineAt(from);
  return insert.length === 0 && to <= line.to && to - from < line.length;
}

/**
 * Of `a-b-b-c` the same is left whichever `b-` goes: then nobody knows what was meant. That a blank before a word or the one
 * behind it goes is no matter.
 */
function isCertain({ from, to, insert }: Hunk, base: Text): boolean {
  const line = base.lineAt(from);
  const { text } = line;
  const [start, end] = [from - line.from, to - line.from];
  const moved = from < to ? text.slice(start, end) : insert.toString();
  const isElsewhere = (by: number, passed: string) =>
    /\S/.test(passed) && !isInWord(text, start + by) && !isInWord(text, end + by);
  for (let by = 1; by <= start && text[start - by] === moved.at(-1 - ((by - 1) % moved.length)); by++)
    if (isElsewhere(-by, text.slice(start - by, start))) return false;
  for (let by = 1; end + by <= text.length && text[end + by - 1] === moved[(by - 1) % moved.length]; by++)
    if (isElsewhere(by, text.slice(end, end + by))) return false;
  return true;
}

const isInWord = (text: string, at: number): boolean =>
  at > 0 && at < text.length && /^[\p{L}\p{N}_]{2}$/u.test(text.slice(at - 1, at + 1));

/** Both put text there, and more than a few characters that may be the same by chance. */
function touches(a: Hunk, b: Hunk): boolean {
  const isLong = Math.min(a.insert.length, b.insert.length) >= 3;
  return isLong && a.from <= b.to && b.from <= a.to;
}

/** Their whole lines, put at the end of a line that is just being typed, go below what is typed there. */
function isBelow(hunk: Hunk, near: readonly Hunk[], theirText: Text): boolean {
  const typed = near.find((other) => isInsertion(other) && other.from === hunk.from);
  const isWhole = isInsertion(hunk) && hunk.insert.lines > 1 && hunk.insert.line(1).length === 0;
  const continues = theirText.lineAt(hunk.fromAfter).from < hunk.fromAfter;
  return isWhole && continues && typed !== undefined && typed.insert.line(1).length > 0;
}

/** Their insertion comes before ours at the same place; whole lines stay whole. */
function apart(
  hunk: Hunk,
  near: readonly Hunk[],
  theirText: Text,
): { from: number; to: number; insert: Text } {
  const { from, to, insert } = hunk;
  const joined = near.find((other) => isInsertion(other) && other.from === from);
  const startsLine = theirText.lineAt(hunk.fromAfter).from === hunk.fromAfter;
  const endsLine = insert.line(insert.lines).length === 0;
  const continues = joined?.insert.line(1).length !== 0;
  if (!joined || !isInsertion(hunk) || !(startsLine || insert.lines > 1) || endsLine || !continues)
    return { from, to, insert };
  return { from, to, insert: insert.append(Text.of(['', ''])) };
}
