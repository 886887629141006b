import { ChangeSet, type Text } from '@codemirror/state';
import { changesBetween } from '../../../base/text/differences';

export interface CarriedOver {
  /** From the text that the editor shows to the new session's text. */
  readonly toSession: ChangeSet;
  /** The person's changes that the session lacks, to be applied to its text. */
  readonly mine: ChangeSet;
  /** From the text that the editor shows to the one it shows afterwards: carries the cursor. */
  readonly toEditor: ChangeSet;
}

/**
 * Brings changes that were never confirmed over to the text of another session. `confirmed` is the last text known
 * to be the core's; `local` are the changes since then, of which the first `sent` may have reached the core before it
 * was lost. How many of them it kept is told by the text: the number with which no word of them is missing afterwards, and that
 * leaves the least to do on both sides. What they wrote counts as kept only where it stands whole in that text, else it is
 * written again: another program may have put something like it there.
 */
export function carryOver(
  confirmed: Text,
  local: readonly ChangeSet[],
  sent: number,
  target: Text,
): CarriedOver {
  const shownCount = lastShown(confirmed, local, target);
  if (shownCount > 0) return goneOn(confirmed, local, shownCount);
  const goal = target.toString();
  const typed = wordsTyped(confirmed, local);
  const mostKept = Math.min(sent, local.length);
  const candidates = Array.from({ length: mostKept + 1 }, (_, count) =>
    candidate(confirmed, local, count, goal),
  );
  const ranked = candidates
    .map((one) => ({ ...one, missing: mostKept === 0 ? 0 : missingIn(one, target, typed) }))
    .sort((a, b) => a.missing - b.missing || a.size - b.size || a.theirSize - b.theirSize);
  const { base, mine, theirs } = ranked[0] as Candidate;
  const same = sameInsertions(base, mine, theirs);
  return {
    toSession: mine.invert(base).compose(theirs),
    mine: instead(mine, new Map(same.map(({ own }) => [own, '']))).map(theirs),
    toEditor: instead(theirs, new Map(same.map(({ other, rest }) => [other, rest]))).map(mine, true),
  };
}

/** After how many changes the editor showed just this text: whoever wrote it to the file had it from there. */
function lastShown(confirmed: Text, local: readonly ChangeSet[], target: Text): number {
  let doc = confirmed;
  let last = 0;
  for (const [index, changes] of local.entries()) {
    doc = changes.apply(doc);
    if (doc.length === target.length && doc.eq(target)) last = index + 1;
  }
  return last;
}

/** As if the core had kept the first `kept` changes, and nobody had written anything else. */
function goneOn(confirmed: Text, local: readonly ChangeSet[], count: number): CarriedOver {
  const base = joined(local.slice(0, count), confirmed.length).apply(confirmed);
  const mine = joined(local.slice(count), base.length);
  return { toSession: mine.invert(base), mine, toEditor: ChangeSet.empty(mine.newLength) };
}

/** Whether a text has something from a window that has these changes: all that it showed at a time, or what was put at a place. */
export function isFromWindow(confirmed: Text, local: readonly ChangeSet[], target: Text): boolean {
  if (local.length === 0) return false;
  if (lastShown(confirmed, local, target) > 0) return true;
  const mine = joined(local, confirmed.length);
  return sameInsertions(confirmed, mine, changesBetween(confirmed.toString(), target.toString())).length > 0;
}

interface Same {
  /** Both by their numbers. */
  readonly own: number;
  readonly other: number;
  /** What the other one has beyond it. */
  readonly rest: string;
}

/** Of insertions of both sides those that come to the same: as everywhere, they are made once. */
function sameInsertions(base: Text, mine: ChangeSet, theirs: ChangeSet): Same[] {
  const others = insertionsOf(theirs);
  const same: Same[] = [];
  for (const one of insertionsOf(mine))
    for (const other of others) {
      const rest = same.some((it) => it.other === other.number) ? null : beyond(base, one, other);
      if (rest === null) continue;
      same.push({ own: one.number, other: other.number, rest });
      break;
    }
  return same;
}

interface Insertion {
  /** Among the changes. */
  readonly number: number;
  readonly at: number;
  readonly text: string;
}

function insertionsOf(changes: ChangeSet): Insertion[] {
  const insertions: Insertion[] = [];
  let number = 0;
  changes.iterChanges((from, to, _fromB, _toB, inserted) => {
    if (from === to) insertions.push({ number, at: from, text: inserted.toString() });
    number++;
  });
  return insertions;
}

/** What theirs has beyond ours, in lines of their own; null: it is another one. Of `a a` nobody can tell which was put there. */
function beyond(base: Text, ours: Insertion, theirs: Insertion): string | null {
  if (ours.at === theirs.at) {
    if (theirs.text.startsWith(`${ours.text}\n`)) return theirs.text.slice(ours.text.length);
    if (theirs.text.endsWith(`\n${ours.text}`)) return theirs.text.slice(0, -ours.text.length);
  }
  if (ours.text.length !== theirs.text.length || Math.abs(ours.at - theirs.at) > ours.text.length)
    return null;
  const [first, second] = ours.at <= theirs.at ? [ours, theirs] : [theirs, ours];
  const between = base.sliceString(first.at, second.at, '\n');
  return first.text + between === between + second.text ? '' : null;
}

/** With other texts in the place of these insertions. */
function instead(changes: ChangeSet, texts: ReadonlyMap<number, string>): ChangeSet {
  if (texts.size === 0) return changes;
  const rest: { from: number; to: number; insert: Text | string }[] = [];
  let number = 0;
  changes.iterChanges((from, to, _fromB, _toB, inserted) => {
    const insert = texts.get(number++) ?? inserted;
    if (insert !== '') rest.push({ from, to, insert });
  });
  return ChangeSet.of(rest, changes.length, '\n');
}

interface Candidate {
  /** What the core kept, and the others had before them. */
  readonly base: Text;
  readonly mine: ChangeSet;
  readonly theirs: ChangeSet;
  readonly theirSize: number;
  /** Of both. */
  readonly size: number;
}

/** As if the core had kept the first `kept` changes, but for what does not stand in its text. */
function candidate(confirmed: Text, local: readonly ChangeSet[], count: number, goal: string): Candidate {
  const before = joined(local.slice(0, count), confirmed.length);
  const base = before.apply(confirmed);
  const mine = joined(local.slice(count), base.length);
  const theirs = changesBetween(base.toString(), goal);
  const missing = linesOf(before).filter(notStanding(base, mine, theirs, goal));
  if (missing.length === 0) return candidateOf(base, mine, theirs);
  const without = ChangeSet.of(missing, base.length);
  const rest = without.apply(base);
  return candidateOf(rest, without.invert(base).compose(mine), changesBetween(rest.toString(), goal));
}

function candidateOf(base: Text, mine: ChangeSet, theirs: ChangeSet): Candidate {
  const theirSize = sizeOf(theirs);
  return { base, mine, theirs, theirSize, size: sizeOf(mine) + theirSize };
}

/** Of what was inserted and not deleted again. */
function wordsTyped(confirmed: Text, local: readonly ChangeSet[]): readonly string[] {
  const typed: string[] = [];
  joined(local, confirmed.length).iterChanges((_fromA, _toA, _fromB, _toB, inserted) => {
    typed.push(...(inserted.toString().match(/\S+/g) ?? []));
  });
  return typed;
}

function missingIn({ mine, theirs }: Candidate, target: Text, typed: readonly string[]): number {
  const after = mine.map(theirs).apply(target).toString();
  return typed.filter((word) => !after.includes(word)).length;
}

const joined = (changes: readonly ChangeSet[], length: number) =>
  changes.reduce((all, one) => all.compose(one), ChangeSet.empty(length));

interface Piece {
  readonly from: number;
  readonly to: number;
}

/** What was inserted, by lines: something else may stand between two of them by now. */
function linesOf(changes: ChangeSet): Piece[] {
  const pieces: Piece[] = [];
  changes.iterChanges((_fromA, _toA, fromB, _toB, inserted) => {
    const text = inserted.toString();
    const line = text.startsWith('\n') ? /\n+[^\n]*/g : /[^\n]+\n*/g;
    for (const [one] of text.matchAll(line)) {
      pieces.push({ from: fromB, to: fromB + one.length });
      fromB += one.length;
    }
  });
  return pieces;
}

/** Of pieces in their order: one that can be found in `goal` once is not found there for another. */
function notStanding(
  base: Text,
  mine: ChangeSet,
  theirs: ChangeSet,
  goal: string,
): (piece: Piece) => boolean {
  const text = base.toString();
  let searchFrom = 0;
  return ({ from, to }) => {
    const piece = text.slice(from, to);
    const isWritten = mine.touchesRange(from, to) !== false;
    const end = theirs.mapPos(to, 1) - piece.length;
    const first = Math.max(searchFrom, theirs.mapPos(from, -1));
    for (let at = goal.indexOf(piece, first); at !== -1 && at <= end; at = goal.indexOf(piece, at + 1)) {
      const after = at + piece.length;
      const isSameBefore = lineBefore(text, from) === lineBefore(goal, at);
      const isSameAfter = lineAfter(text, to) === lineAfter(goal, after);
      if (!isSameBefore && !isEdge(piece[0], goal[at - 1], isWritten)) continue;
      if (!isSameAfter && !isEdge(piece.at(-1), goal[after], isWritten)) continue;
      searchFrom = after;
      return false;
    }
    return true;
  };
}

/** Characters; two lines may go on with the same letter by chance. */
const near = 12;
const lineBefore = (text: string, at: number) =>
  text
    .slice(Math.max(0, at - near), at)
    .split('\n')
    .at(-1);
const lineAfter = (text: string, at: number) => text.slice(at, at + near).split('\n')[0];

/**
 * Whether a piece that ends with `last` is whole where something else stands beside it now: no part of a longer word. Where the
 * person is still writing it must be no part of a line: the beginnings of two lines are easily alike.
 */
function isEdge(last: string | undefined, beside: string | undefined, isWritten: boolean): boolean {
  if (beside === undefined || beside === '\n' || last === '\n' || withoutBlanks.test(beside)) return true;
  return !isWritten && !(ofWord.test(beside) && ofWord.test(last ?? ''));
}

const ofWord = /[\p{L}\p{N}_]/u;
/** Scripts in which a letter beside another one tells nothing of words. */
const withoutBlanks = /[\p{Ideographic}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;

/** Whether a text can't be the same note by now: of the words of the shorter one, not even half stand in the other. */
export function isStrange(confirmed: Text, target: Text): boolean {
  const [before, after] = [wordsOf(confirmed), wordsOf(target)];
  const remaining = new Map<string, number>();
  for (const word of before) remaining.set(word, (remaining.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of after) {
    const count = remaining.get(word) ?? 0;
    if (count === 0) continue;
    remaining.set(word, count - 1);
    common += word.length;
  }
  return common * 2 < Math.min(lengthOf(before), lengthOf(after));
}

/** A letter of those scripts counts as one. */
const words = new RegExp(`${withoutBlanks.source}|[${ofWord.source}--${withoutBlanks.source}]+`, 'gv');
const wordsOf = (text: Text): string[] => text.toString().match(words) ?? [];
const lengthOf = (words: readonly string[]) => words.reduce((sum, word) => sum + word.length, 0);

/** Characters that they take away and bring. */
function sizeOf(changes: ChangeSet): number {
  let size = 0;
  changes.iterChanges((fromA, toA, fromB, toB) => {
    size += toA - fromA + (toB - fromB);
  });
  return size;
}
