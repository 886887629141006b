import { type ChangeDesc, RangeSet, RangeSetBuilder, RangeValue, Text } from '@codemirror/state';

type LineEnd = '\n' | '\r\n' | '\r';

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
  const found = (text.match(/\r\n|\r|\n/g) ?? []) as LineEnd[];
  const count = (end: LineEnd) => found.filter((other) => other === end).length;
  const usual = (['\n', '\r\n', '\r'] as const).reduce((best, end) =>
    count(end) > count(best) ? end : best,
  );
  const lines = text.split(/\r\n|\r|\n/);
  const odd = new RangeSetBuilder<OddEnd>();
  let at = 0;
  for (const [index, end] of found.entries()) {
    at += lines[index]?.length ?? 0;
    if (end !== usual) odd.add(at, at + 1, new OddEnd(end));
    at += 1;
  }
  return { doc: Text.of(lines), ends: { byteOrderMark, usual, odd: odd.finish() } };
}

export function printLines(doc: Text, { byteOrderMark, usual, odd }: LineEnds): string {
  let text = byteOrderMark ? '\uFEFF' : '';
  let from = 0;
  for (const mark = odd.iter(); mark.value; mark.next()) {
    text += doc.sliceString(from, mark.from, usual) + mark.value.end;
    from = mark.from + 1;
  }
  return text + doc.sliceString(from, doc.length, usual);
}

export function mapLineEnds(ends: LineEnds, changes: ChangeDesc): LineEnds {
  return ends.odd.size === 0 ? ends : { ...ends, odd: ends.odd.map(changes) };
}
