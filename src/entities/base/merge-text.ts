import { diffArrays } from 'diff';

interface Hunk {
  /** Lines of the base that it replaces. */
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

/** Both changes of a text, line by line; null where they touch the same place. */
export function mergeTexts(base: string, theirs: string, ours: string): string | null {
  if (theirs === base || theirs === ours) return ours;
  if (ours === base) return theirs;
  const lines = base.split('\n');
  const [one, two] = [hunksOf(lines, theirs), hunksOf(lines, ours)];
  if (!one || !two) return null;
  const all = [...one, ...two].sort((a, b) => a.from - b.from || a.to - b.to);
  const merged: (readonly string[])[] = [];
  let at = 0;
  let last: Hunk | null = null;
  for (const hunk of all) {
    if (last && isSame(last, hunk)) continue;
    // Two that only touch have no order that both meant.
    if (last && hunk.from <= last.to) return null;
    merged.push(lines.slice(at, hunk.from), hunk.lines);
    at = hunk.to;
    last = hunk;
  }
  return [...merged, lines.slice(at)].flat().join('\n');
}

function isSame(a: Hunk, b: Hunk): boolean {
  return a.from === b.from && a.to === b.to && a.lines.join('\n') === b.lines.join('\n');
}

/** Null where finding them takes too long. */
export function hunksOf(base: string[], text: string): Hunk[] | null {
  const parts = diffArrays(base, text.split('\n'), { timeout: 200 });
  if (!parts) return null;
  const hunks: Hunk[] = [];
  let at = 0;
  let open: { from: number; to: number; lines: string[] } | null = null;
  for (const { added, removed, value } of parts) {
    if (!added && !removed) {
      at += value.length;
      open = null;
      continue;
    }
    if (!open) {
      open = { from: at, to: at, lines: [] };
      hunks.push(open);
    }
    if (added) open.lines = open.lines.concat(value);
    else {
      at += value.length;
      open.to = at;
    }
  }
  return hunks;
}
