import { hunksOf } from './merge-text';

/** One after the other: in the text as those before left it. */
export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export function splice(text: string, splices: readonly Splice[]): string {
  return splices.reduce((now, { from, to, text: put }) => now.slice(0, from) + put + now.slice(to), text);
}

/** A text with one kind of line end, in which places are looked for and changed. */
export interface PlainEnds {
  readonly plain: string;
  /** The changed text as it is in the file: each line that stays keeps the end that it had, a new one gets that of the line above. */
  after(splices: readonly Splice[]): string;
}

/** Some programs write `\r\r\n`; that is one line end, too. */
export function plainEnds(text: string): string {
  return text.includes('\r\n') ? text.replace(/(?<!\r)\r+\n/g, '\n') : text;
}

export function withPlainEnds(text: string): PlainEnds {
  if (!text.includes('\r\n')) return { plain: text, after: (splices) => splice(text, splices) };
  const plain = plainEnds(text);
  const after = (splices: readonly Splice[]): string => {
    let now = plain;
    let ends: string[] = text.match(/(?<!\r)\r*\n/g) ?? [];
    for (const { from, to, text: put } of splices) {
      const first = breaksIn(now.slice(0, from));
      const old = now.slice(from, to);
      const near = ends[first - 1] ?? ends[first] ?? '\n';
      const own = ends.slice(first, first + breaksIn(old));
      const come = endsAfter(old, own, put, near);
      ends = [...ends.slice(0, first), ...come, ...ends.slice(first + own.length)];
      now = splice(now, [{ from, to, text: put }]);
    }
    return now
      .split('\n')
      .map((line, at) => line + (ends[at] ?? ''))
      .join('');
  };
  return { plain, after };
}

function endsAfter(old: string, ends: readonly string[], put: string, near: string): string[] {
  const lines = old.split('\n');
  const now = put.split('\n');
  const hunks = hunksOf(lines, put) ?? [{ from: 0, to: lines.length, lines: now }];
  const newEnds: (string | undefined)[] = [];
  let at = 0;
  for (const { from, to, lines: come } of hunks) {
    for (; at < from; at++) newEnds.push(ends[at]);
    for (const index of come.keys()) newEnds.push(come.length === to - from ? ends[from + index] : undefined);
    at = to;
  }
  for (; at < lines.length; at++) newEnds.push(ends[at]);
  let last = near;
  return now.slice(1).map((_, index) => {
    last = newEnds[index] ?? last;
    return last;
  });
}

function breaksIn(text: string): number {
  return text.split('\n').length - 1;
}
