import { ChangeSet, type Text } from '@codemirror/state';
import { type Effort, matches } from './match';
import { sharedEnd, sharedStart } from './shared-text';

interface Hunk {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** What is compared token by token, and how. */
interface Tokens {
  readonly token: RegExp;
  /** Edits that are looked for one by one. */
  readonly mostSteps: number;
  /** Of the shorter text: where more was edited, and less than this is the same, that is by chance. */
  readonly leastSame: number;
}

const lines: Tokens = { token: /[^\n]+\n?|\n/g, mostSteps: 1_000, leastSame: 0 };
const words: Tokens = { token: /[\p{L}\p{N}_]+|\s+|./gsu, mostSteps: 600, leastSame: 0.5 };

/** Characters of both: a longer stretch is compared by words only, and one that is longer still not at all. */
const mostRefined = 20_000;
const mostInWords = 2_500_000;
const mostEffort = 200_000_000;

/**
 * What leads from one text to the other: by lines, then by words in what changed; always bounded in time. What both are
 * made of in common is not looked at.
 */
export function diff(before: Text, after: Text): ChangeSet {
  const most = Math.min(before.length, after.length);
  const start = sharedStart(before, after);
  const last = sharedEnd(before, after);
  const end = start + last <= most ? last : 0;
  const [a, b] = [before, after].map((text) => text.sliceString(start, text.length - end)) as [
    string,
    string,
  ];
  const hunks = [...compareNotes(a, b, { left: mostEffort })];
  return ChangeSet.of(
    hunks.map(({ from, to, insert }) => ({ from: start + from, to: start + to, insert })),
    before.length,
  );
}

/** As if both ended with a line end: the last line is then no other one because something comes below it. */
function* compareNotes(a: string, b: string, effort: Effort): Generator<Hunk> {
  const end = a.length + 1;
  let last = 0;
  const whole = `${a}\n`;
  for (const change of compare(whole, `${b}\n`, effort)) {
    const hunk = toLineStart(whole, change, last);
    const { from, to, insert } = hunk;
    last = to;
    if (to < end) yield hunk;
    else if (from < to && insert !== '') yield { from, to: to - 1, insert: insert.slice(0, -1) };
    // The line end before it is the same in both.
    else yield { from: from - 1, to: to - 1, insert: insert === '' ? '' : `\n${insert.slice(0, -1)}` };
  }
}

/** What may as well stand at the beginning of its line as in it, stands there: in `‹b›\n‹a›` it is `‹b›\n` that is new, not `b›\n‹`. */
function toLineStart(text: string, hunk: Hunk, last: number): Hunk {
  const { from, to, insert } = hunk;
  const moved = from === to ? insert : text.slice(from, to);
  if ((from < to && insert !== '') || !moved.includes('\n')) return hunk;
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const before = text.slice(start, from);
  if (from === 0 || start < last || before === '' || !moved.endsWith(before)) return hunk;
  const shift = before.length;
  if (from < to) return { from: start, to: to - shift, insert };
  return { from: start, to: start, insert: before + insert.slice(0, -shift) };
}

/** Whether a file that was away and is back can be the same note: half of the shorter text stands in the other. */
export function resembles(before: Text, after: Text): boolean {
  let common = before.length;
  diff(before, after).iterChanges((from, to) => {
    common -= to - from;
  });
  const shorter = Math.min(before.length, after.length);
  if (shorter === 0) return before.length === after.length;
  return common * 2 >= shorter || (shorter > alwaysCompared && haveMuchTheSame(before, after));
}

/** Whether what stands at the place of a note can be what became of it: of a blank one, whatever was begun there. */
export const canFollow = (before: Text, after: Text): boolean => isBlank(before) || resembles(before, after);

/** A long one is something, if only of blanks. */
const isBlank = (text: Text) => text.length < 100 && text.toString().trim() === '';

/** Characters: of more than that a comparison may have been given up, which says nothing of how alike they are. */
const alwaysCompared = 4_000;
/** Characters of both: words of more would hold everybody up, and their lines have to do. */
const mostByWords = 2_000_000;

/** Six in ten characters of the shorter one’s words stand in the other, wherever. Other texts of a language share about four. */
function haveMuchTheSame(before: Text, after: Text): boolean {
  const part = before.length + after.length > mostByWords ? /[^\n]+/g : /[\p{L}\p{N}_]+/gu;
  const counts = new Map<string, number>();
  let [there, here, shared] = [0, 0, 0];
  for (const [one] of before.toString().matchAll(part)) {
    counts.set(one, (counts.get(one) ?? 0) + 1);
    there += one.length;
  }
  for (const [one] of after.toString().matchAll(part)) {
    const rest = counts.get(one) ?? 0;
    if (rest > 0) {
      counts.set(one, rest - 1);
      shared += one.length;
    }
    here += one.length;
  }
  return shared >= 0.6 * Math.min(there, here);
}

function* compare(a: string, b: string, effort: Effort): Generator<Hunk> {
  if (a === b) return;
  const start = commonLines(a, b);
  const end = commonLastLines(a, b, start);
  const [oldLines, newLines] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  for (const rough of hunks(oldLines, newLines, lines, effort, start)) {
    const old = a.slice(rough.from, rough.to);
    if (old === '' || rough.insert === '') yield rough;
    else
      for (const hunk of withinStretch(old, rough.insert, effort, rough.from)) yield withoutBlanks(a, hunk);
  }
}

/** Blanks that both begin or end with are the same: what is typed before the end of a line leaves that alone. */
function withoutBlanks(text: string, { from, to, insert }: Hunk): Hunk {
  const old = text.slice(from, to);
  const most = Math.min(old.length, insert.length);
  const isSame = (a: string | undefined, b: string | undefined) => a === b && a !== undefined && /\s/.test(a);
  let start = 0;
  while (start < most && isSame(old[start], insert[start])) start++;
  let end = 0;
  while (end < most - start && isSame(old.at(-1 - end), insert.at(-1 - end))) end++;
  return { from: from + start, to: to - end, insert: insert.slice(start, insert.length - end) };
}

/** A long line has much in common at both ends, wherever in it something was written. */
function* withinStretch(a: string, b: string, effort: Effort, offset: number): Generator<Hunk> {
  if (a.length + b.length <= mostRefined) return yield* refined(a, b, effort, offset);
  const start = commonWords(a, b);
  const end = commonLastWords(a.slice(start), b.slice(start));
  const [old, insert] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const from = offset + start;
  const length = old.length + insert.length;
  if (old === '' || insert === '' || length > mostInWords) yield { from, to: from + old.length, insert };
  else if (length <= mostRefined) yield* refined(old, insert, effort, from);
  else yield* hunks(old, insert, words, effort, from);
}

/** The length of what both begin with, up to a blank. */
function commonWords(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  while (at > 0 && !/\s/.test(a[at - 1] ?? '')) at--;
  return at;
}

/** The length of what both end with, from a blank on. */
function commonLastWords(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length))
    length++;
  while (length > 0 && !/\s/.test(a[a.length - length] ?? '')) length--;
  return length;
}

/** By words, or by like lines and the words of each, whichever takes less: words alone lead from one line into the next. */
function refined(a: string, b: string, effort: Effort, offset: number): readonly Hunk[] {
  const byWords = [...hunks(a, b, words, effort, offset)];
  const byLines = [...hunksOfLikeLines(a, b, effort, offset)];
  const size = (all: readonly Hunk[]) =>
    all.reduce((sum, { from, to, insert }) => sum + to - from + insert.length, 0);
  return size(byLines) <= size(byWords) * 1.25 ? byLines : byWords;
}

function* hunksOfLikeLines(a: string, b: string, effort: Effort, offset: number): Generator<Hunk> {
  const [old, now] = [linesOf(a), linesOf(b)];
  let [i, j, at] = [0, 0, offset];
  for (const [oldIndex, newIndex] of [...likeLines(old, now), [old.length, now.length] as const]) {
    const removed = old.slice(i, oldIndex).join('');
    const insert = now.slice(j, newIndex).join('');
    if (removed !== '' && insert !== '') yield* hunks(removed, insert, words, effort, at);
    else if (removed !== insert) yield { from: at, to: at + removed.length, insert };
    at += removed.length;
    const [before, after] = [old[oldIndex] ?? '', now[newIndex] ?? ''];
    // The line end is the same in both.
    const end = before.endsWith('\n') && after.endsWith('\n') ? -1 : undefined;
    if (before !== after) yield* hunks(before.slice(0, end), after.slice(0, end), words, effort, at);
    at += before.length;
    [i, j] = [oldIndex + 1, newIndex + 1];
  }
}

const linesOf = (text: string): readonly string[] => text.match(lines.token) ?? [];

const mostPairs = 2_500;

/** Pairs of lines that begin and end much the same, in order: those that have the most in common altogether. */
function likeLines(a: readonly string[], b: readonly string[]): (readonly [number, number])[] {
  if (a.length * b.length > mostPairs) return [];
  const best = Array.from({ length: a.length + 1 }, () => new Float64Array(b.length + 1));
  const at = (i: number, j: number) => best[i]?.[j] ?? 0;
  const like = a.map((one) => b.map((other) => likeness(one, other)));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--) {
      const both = like[i]?.[j] ?? 0;
      const row = best[i];
      if (row) row[j] = Math.max(at(i + 1, j), at(i, j + 1), both > 0 ? both + at(i + 1, j + 1) : 0);
    }
  const pairs: (readonly [number, number])[] = [];
  for (let [i, j] = [0, 0]; i < a.length && j < b.length; ) {
    if (at(i, j) === at(i + 1, j)) i++;
    else if (at(i, j) === at(i, j + 1)) j++;
    else pairs.push([i++, j++]);
  }
  return pairs;
}

/** Characters in common at both ends; 0 where that is not half of the longer line. */
function likeness(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start++;
  let end = 0;
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return (start + end) * 2 >= Math.max(a.length, b.length) ? start + end : 0;
}

/** Compares token by token: an insertion between equal neighbours stays a whole line or word. */
function* hunks(
  a: string,
  b: string,
  { token, mostSteps, leastSame }: Tokens,
  effort: Effort,
  offset: number,
): Generator<Hunk> {
  const [oldTokens, newTokens] = [a.match(token) ?? [], b.match(token) ?? []];
  const same = matches(oldTokens, newTokens, mostSteps, effort);
  const edits = oldTokens.length + newTokens.length - 2 * same.length;
  const common = same.reduce((sum, [index]) => sum + (oldTokens[index]?.length ?? 0), 0);
  if (edits > mostSteps && common < leastSame * Math.min(a.length, b.length))
    return yield { from: offset, to: offset + a.length, insert: b };
  let [i, j, at] = [0, 0, offset];
  for (const [oldIndex, newIndex] of [...same, [oldTokens.length, newTokens.length] as const]) {
    const removed = oldTokens.slice(i, oldIndex).join('');
    const insert = newTokens.slice(j, newIndex).join('');
    if (removed !== '' || insert !== '') yield { from: at, to: at + removed.length, insert };
    at += removed.length + (oldTokens[oldIndex]?.length ?? 0);
    [i, j] = [oldIndex + 1, newIndex + 1];
  }
}

/** The length of the whole lines that both begin with. */
function commonLines(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at === 0 ? 0 : a.lastIndexOf('\n', at - 1) + 1;
}

/** The length of the whole lines that both end with. */
function commonLastLines(a: string, b: string, start: number): number {
  const most = Math.min(a.length, b.length) - start;
  let length = 0;
  while (length < most && a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length))
    length++;
  const startsLine = (text: string) => text.length === length || text[text.length - length - 1] === '\n';
  if (startsLine(a) && startsLine(b)) return length;
  const lineEnd = a.indexOf('\n', a.length - length);
  return lineEnd === -1 ? 0 : a.length - lineEnd - 1;
}

/** Characters that it takes away and brings. */
export function sizeOf(changes: ChangeSet): number {
  let size = 0;
  changes.iterChanges((from, to, fromAfter, toAfter) => {
    size += to - from + (toAfter - fromAfter);
  });
  return size;
}
