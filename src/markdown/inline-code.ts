/** Ranges of inline code in one line; a run of backticks is closed by the next run of the same length. */
export function codeSpans(text: string, from: number, to: number): { from: number; to: number }[] {
  const runs: { at: number; length: number }[] = [];
  for (let at = indexWithin(text, '`', from, to); at !== -1; at = indexWithin(text, '`', at, to)) {
    const start = at;
    while (at < to && text[at] === '`') at++;
    runs.push({ at: start, length: at - start });
  }
  const closers = new Map<number, number>();
  const closerOf = runs.map(() => -1);
  for (let index = runs.length - 1; index >= 0; index--) {
    const length = runs[index]?.length ?? 0;
    closerOf[index] = closers.get(length) ?? -1;
    closers.set(length, index);
  }
  const spans: { from: number; to: number }[] = [];
  for (let index = 0; index < runs.length; index++) {
    const closer = closerOf[index] ?? -1;
    const opening = runs[index];
    const closing = runs[closer];
    if (!opening || !closing) continue;
    spans.push({ from: opening.at, to: closing.at + closing.length });
    index = closer;
  }
  return spans;
}

export function isInside(spans: readonly { from: number; to: number }[], at: number): boolean {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const span = spans[middle];
    if (span && span.to <= at) low = middle + 1;
    else high = middle;
  }
  const span = spans[low];
  return span !== undefined && span.from <= at;
}

/** `indexOf` that never looks past `to`: a search in a line must not cost the rest of the note. */
export function indexWithin(text: string, part: string, from: number, to: number): number {
  const index = text.slice(from, to).indexOf(part);
  return index === -1 ? -1 : from + index;
}
