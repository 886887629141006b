import { ChangeSet, Text } from '@codemirror/state';
import type { DiffHunk } from '../../../contract/versions';
import { diffTexts } from '../../notes';

/** Whole lines of one text, in whose place there are others in the second; from 1, `to` is not in it. */
export interface LineHunk {
  readonly from: number;
  readonly to: number;
  readonly fromNew: number;
  readonly toNew: number;
}

/** Lines around a hunk that are shown with it. */
const around = 3;
const mostRows = 400;
/** Characters of a line that are shown. */
const longestLine = 2_000;

/** The differences as whole lines; between two of them is at least one line that is the same. */
export function lineHunks(now: Text, then: Text): LineHunk[] {
  const hunks: LineHunk[] = [];
  diffTexts(now, then).iterChanges((from, to, fromNew, toNew) => {
    const hunk = widened({ doc: now, from, to }, { doc: then, from: fromNew, to: toNew });
    const last = hunks.at(-1);
    if (last && (hunk.from <= last.to || hunk.fromNew <= last.toNew))
      hunks[hunks.length - 1] = { ...last, to: hunk.to, toNew: hunk.toNew };
    else hunks.push(hunk);
  });
  return hunks;
}

interface Side {
  readonly doc: Text;
  readonly from: number;
  readonly to: number;
}

function widened(a: Side, b: Side): LineHunk {
  const sides = [a, b];
  const line = ({ doc }: Side, at: number) => doc.lineAt(at).number;
  const isStart = ({ doc }: Side, at: number) => doc.lineAt(at).from === at;
  const isEnd = ({ doc }: Side, at: number) => doc.lineAt(at).to === at;
  const of = (from: (side: Side) => number, to: (side: Side) => number): LineHunk => ({
    from: from(a),
    to: to(a),
    fromNew: from(b),
    toNew: to(b),
  });
  const first = (side: Side) => line(side, side.from);
  const last = (side: Side) => line(side, side.to);
  if (sides.every((side) => isStart(side, side.from) && isStart(side, side.to))) return of(first, last);
  // Between two line ends: the lines after the first of them.
  if (sides.every((side) => isEnd(side, side.from) && isEnd(side, side.to)))
    return of(
      (side) => first(side) + 1,
      (side) => last(side) + 1,
    );
  return of(first, (side) => last(side) + 1);
}

/** Puts the second text's lines in the place of the first's, in these hunks. */
export function changesFor(hunks: readonly LineHunk[], now: Text, then: Text): ChangeSet {
  const changes = hunks.map(({ from, to, fromNew, toNew }) => {
    const lines: string[] = [];
    for (let number = fromNew; number < toNew; number++) lines.push(then.line(number).text);
    const insert = lines.join('\n');
    if (from < to && lines.length > 0) return { from: now.line(from).from, to: now.line(to - 1).to, insert };
    if (lines.length > 0)
      return from <= now.lines
        ? { from: now.line(from).from, insert: `${insert}\n` }
        : { from: now.length, insert: `\n${insert}` };
    return to <= now.lines
      ? { from: now.line(from).from, to: now.line(to).from }
      : { from: Math.max(0, now.line(from).from - 1), to: now.length };
  });
  return ChangeSet.of(changes, now.length);
}

/** Where a hunk's lines are in the first text, with the place between lines where something is put in. */
export function rangeOf({ from, to }: LineHunk, now: Text): { from: number; to: number } {
  if (from === to) {
    const at = from <= now.lines ? now.line(from).from : now.length;
    return { from: Math.max(0, at - 1), to: at };
  }
  return { from: now.line(from).from, to: now.line(to - 1).to };
}

type Row = DiffHunk['rows'][number];

/** As a person reads them: lines around, each shown once, what goes, what comes, and the words that differ. */
export function drawHunks(hunks: readonly LineHunk[], now: Text, then: Text): DiffHunk[] {
  let shownTo = 1;
  return hunks.map((hunk, at) => {
    const from = Math.max(shownTo, hunk.from - around);
    shownTo = Math.min(hunks[at + 1]?.from ?? lastShown(now), hunk.to + around);
    return drawHunk(hunk, { from, to: shownTo }, now, then);
  });
}

/** What comes after the last line end is nothing that anybody sees. */
const lastShown = (doc: Text) => (doc.line(doc.lines).length === 0 ? doc.lines : doc.lines + 1);

function drawHunk(
  { from, to, fromNew, toNew }: LineHunk,
  visible: { from: number; to: number },
  now: Text,
  then: Text,
): DiffHunk {
  const rows: Row[] = [];
  const same = (number: number): Row => ({ kind: 'same', line: number, parts: plain(now.line(number).text) });
  for (let number = visible.from; number < from; number++) rows.push(same(number));
  const marked = markWords(linesOf(now, from, to), linesOf(then, fromNew, toNew));
  for (const [at, parts] of marked.gone.entries()) rows.push({ kind: 'gone', line: from + at, parts });
  for (const [at, parts] of marked.new.entries()) rows.push({ kind: 'new', line: fromNew + at, parts });
  for (let number = to; number < visible.to; number++) rows.push(same(number));
  return {
    line: from,
    gone: to - from,
    new: toNew - fromNew,
    rows: rows.slice(0, mostRows),
    cut: Math.max(0, rows.length - mostRows),
  };
}

function linesOf(doc: Text, from: number, to: number): string[] {
  const lines: string[] = [];
  for (let number = from; number < to; number++) lines.push(shortened(doc.line(number).text));
  return lines;
}

const shortened = (text: string) => (text.length > longestLine ? `${text.slice(0, longestLine)}…` : text);
const plain = (text: string): Row['parts'] =>
  text === '' ? [] : [{ text: shortened(text), changed: false }];

/** Longer ones are shown as whole lines. */
const mostMarked = 20_000;

function markWords(gone: readonly string[], fresh: readonly string[]) {
  const [a, b] = [gone.join('\n'), fresh.join('\n')];
  const whole = (lines: readonly string[]) => lines.map(plain);
  if (a === '' || b === '' || a.length + b.length > mostMarked)
    return { gone: whole(gone), new: whole(fresh) };
  const goneMarks: Range[] = [];
  const newMarks: Range[] = [];
  const changes = diffTexts(Text.of(a.split('\n')), Text.of(b.split('\n')));
  let common = a.length;
  changes.iterChanges((from, to, fromNew, toNew) => {
    goneMarks.push({ from, to });
    newMarks.push({ from: fromNew, to: toNew });
    common -= to - from;
  });
  // Where hardly a word is left the marks would only be noise.
  if (common * 3 < Math.min(a.length, b.length)) return { gone: whole(gone), new: whole(fresh) };
  return { gone: cutInLines(gone, goneMarks), new: cutInLines(fresh, newMarks) };
}

interface Range {
  readonly from: number;
  readonly to: number;
}

function cutInLines(lines: readonly string[], marks: readonly Range[]): Row['parts'][] {
  let start = 0;
  return lines.map((line) => {
    const parts: Row['parts'] = [];
    let at = 0;
    const put = (to: number, changed: boolean) => {
      if (to > at) parts.push({ text: line.slice(at, to), changed });
      at = Math.max(at, to);
    };
    for (const { from, to } of marks) {
      if (to <= start || from >= start + line.length) continue;
      put(Math.max(0, from - start), false);
      put(Math.min(line.length, to - start), true);
    }
    put(line.length, false);
    start += line.length + 1;
    return parts;
  });
}

/** Lines that are new and that are gone. */
export function countLines(before: Text, after: Text): { added: number; removed: number } {
  const counts = { added: 0, removed: 0 };
  for (const { from, to, fromNew, toNew } of lineHunks(before, after)) {
    counts.removed += to - from;
    counts.added += toNew - fromNew;
  }
  return counts;
}
