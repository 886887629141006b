import { type ChangeDesc, RangeSet, RangeSetBuilder, RangeValue, Text } from '@codemirror/state';
import { z } from 'zod';

const LineEnd = z.enum(['\n', '\r\n', '\r']);
type LineEnd = z.infer<typeof LineEnd>;

export const LineEndsJson = z.object({
  byteOrderMark: z.boolean(),
  usual: LineEnd,
  odd: z.array(z.tuple([z.number().int(), LineEnd])),
});
export type LineEndsJson = z.infer<typeof LineEndsJson>;

class OddEnd extends RangeValue {
  override startSide = 1;
  override endSide = -1;
  constructor(readonly end: LineEnd) {
    super();
  }
}

/**
 * What the session's `\n` stand for on disk: the note's usual line end, and marks that move with the text on those
 * that differ, so that a line nobody edited comes back byte for byte.
 */
export interface LineEnds {
  readonly byteOrderMark: boolean;
  readonly usual: LineEnd;
  readonly odd: RangeSet<OddEnd>;
}

export function readLines(onDisk: string): { doc: Text; ends: LineEnds } {
  const byteOrderMark = onDisk.startsWith('\uFEFF');
  const text = byteOrderMark ? onDisk.slice(1) : onDisk;
  if (!text.includes('\r')) {
    return { doc: Text.of(text.split('\n')), ends: { byteOrderMark, usual: '\n', odd: RangeSet.empty } };
  }
  const ends = (text.match(/\r\n|\r|\n/g) ?? []) as LineEnd[];
  const count = (end: LineEnd) => ends.filter((other) => other === end).length;
  const usual = (['\n', '\r\n', '\r'] as const).reduce((best, end) =>
    count(end) > count(best) ? end : best,
  );
  const lines = text.split(/\r\n|\r|\n/);
  const odd = new RangeSetBuilder<OddEnd>();
  let at = 0;
  for (const [index, end] of ends.entries()) {
    at += lines[index]?.length ?? 0;
    if (end !== usual) odd.add(at, at + 1, new OddEnd(end));
    at += 1;
  }
  return { doc: Text.of(lines), ends: { byteOrderMark, usual, odd: odd.finish() } };
}

export function printLines(doc: Text, ends: LineEnds): string {
  return [...printPieces(doc, ends)].join('');
}

const pieceLength = 128 * 1024;

/** What `printLines` says, in pieces none of which ends within a surrogate pair. */
export function* printPieces(doc: Text, { byteOrderMark, usual, odd }: LineEnds): Generator<string> {
  if (byteOrderMark) yield '\uFEFF';
  let from = 0;
  for (const mark = odd.iter(); mark.value; mark.next()) {
    yield* slices(doc, from, mark.from, usual);
    yield mark.value.end;
    from = mark.from + 1;
  }
  yield* slices(doc, from, doc.length, usual);
}

function* slices(doc: Text, from: number, to: number, lineEnd: LineEnd): Generator<string> {
  for (let at = from; at < to; ) {
    let end = Math.min(at + pieceLength, to);
    if (end < to && /[\uD800-\uDBFF]/.test(doc.sliceString(end - 1, end))) end--;
    yield doc.sliceString(at, end, lineEnd);
    at = end;
  }
}

/** For records of a journal. */
export function endsToJson({ byteOrderMark, usual, odd }: LineEnds): LineEndsJson {
  const marks: [number, LineEnd][] = [];
  for (const mark = odd.iter(); mark.value; mark.next()) marks.push([mark.from, mark.value.end]);
  return { byteOrderMark, usual, odd: marks };
}

export function endsFromJson({ byteOrderMark, usual, odd }: LineEndsJson): LineEnds {
  const marks = new RangeSetBuilder<OddEnd>();
  for (const [at, end] of odd) marks.add(at, at + 1, new OddEnd(end));
  return { byteOrderMark, usual, odd: marks.finish() };
}

export function mapLineEnds(ends: LineEnds, changes: ChangeDesc): LineEnds {
  return ends.odd.size === 0 ? ends : { ...ends, odd: ends.odd.map(changes) };
}
