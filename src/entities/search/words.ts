const ascii = /[a-z0-9]+(?:-[0-9]+)*/g;
const any = /[\p{L}\p{N}]+(?:-\p{N}+)*/gu;
const marks = /\p{M}+/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is that of ASCII
const plain = /^[\u0000-\u007f]*$/;
const longest = 64;

/** The words of a text in lower case and without accents; ids and dates are one word each. */
export function wordsOf(text: string): string[] {
  const lower = text.toLowerCase();
  const words = plain.test(lower)
    ? lower.match(ascii)
    : lower.normalize('NFKD').replace(marks, '').match(any);
  return (words ?? []).map((word) => (word.length > longest ? word.slice(0, longest) : word));
}

/** Whether one word becomes the other by at most `most` changes of a letter (swapping two neighbours is one). */
export function isNear(a: string, b: string, most: number): boolean {
  if (Math.abs(a.length - b.length) > most || lettersApart(a, b) > 2 * most) return false;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const next = [row];
    let best = row;
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, (before[column - 2] ?? 0) + 1);
      }
      next.push(cost);
      if (cost < best) best = cost;
    }
    if (best > most) return false;
    before = last;
    last = next;
  }
  return (last[b.length] ?? most + 1) <= most;
}

/** A cheap lower bound: how many kinds of letters only one of the two has. */
function lettersApart(a: string, b: string): number {
  let bits = letters(a) ^ letters(b);
  let count = 0;
  for (; bits !== 0; bits &= bits - 1) count++;
  return count;
}

function letters(word: string): number {
  let bits = 0;
  for (let at = 0; at < word.length; at++) bits |= 1 << (word.charCodeAt(at) & 31);
  return bits;
}
