import { Change, diff, presentableDiff } from '@codemirror/merge';
import { ChangeSet } from '@codemirror/state';

/** Time alone is no bound: it is not looked at everywhere. */
const bounds = { scanLimit: 1000, timeout: 200 };
/** Characters of both texts. What is longer is compared by lines first, so that what stands between two changes stays where it is. */
const longest = 20_000;

/** What differs, by letters, as a person reads it. Of a long stretch with nothing alike all from the first to the last of it. */
export function differences(before: string, after: string): readonly Change[] {
  if (before.length + after.length <= longest) return presentableDiff(before, after, bounds);
  const [linesBefore, linesAfter] = [linesOf(before), linesOf(after)];
  const signs = signsOf(linesBefore, linesAfter);
  if (signs === null) return presentableDiff(before, after, bounds);
  const [startsA, startsB] = [startsOf(linesBefore), startsOf(linesAfter)];
  return diff(...signs, { scanLimit: 5_000, timeout: 200 }).flatMap((lines) => {
    const [fromA, toA] = [startsA[lines.fromA] ?? 0, startsA[lines.toA] ?? 0];
    const [fromB, toB] = [startsB[lines.fromB] ?? 0, startsB[lines.toB] ?? 0];
    if (toA - fromA + toB - fromB > longest) return [new Change(fromA, toA, fromB, toB)];
    return presentableDiff(before.slice(fromA, toA), after.slice(fromB, toB), bounds).map(
      (part) => new Change(fromA + part.fromA, fromA + part.toA, fromB + part.fromB, fromB + part.toB),
    );
  });
}

const linesOf = (text: string): readonly string[] => text.match(/[^\n]+\n?|\n/g) ?? [];

/** Where each line begins, and the last one ends. */
function startsOf(lines: readonly string[]): number[] {
  const starts = [0];
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length);
  return starts;
}

const firstSign = 0xe000;
const mostSigns = 0x10000 - firstSign + (0xd800 - 0x100);

/** Each line as one character, the same for the same line; null where there are more lines than characters. */
function signsOf(before: readonly string[], after: readonly string[]): [string, string] | null {
  const symbols = new Map<string, string>();
  const sign = (line: string): string => {
    const at = symbols.get(line);
    if (at !== undefined) return at;
    const next =
      symbols.size < 0x10000 - firstSign
        ? firstSign + symbols.size
        : 0x100 + symbols.size - (0x10000 - firstSign);
    const symbol = String.fromCharCode(next);
    symbols.set(line, symbol);
    return symbol;
  };
  const [a, b] = [before, after].map((lines) => lines.map(sign).join(''));
  return symbols.size > mostSigns ? null : [a ?? '', b ?? ''];
}

export function changesBetween(before: string, after: string): ChangeSet {
  return ChangeSet.of(
    differences(before, after).map(({ fromA, toA, fromB, toB }) => ({
      from: fromA,
      to: toA,
      insert: after.slice(fromB, toB),
    })),
    before.length,
    '\n',
  );
}
