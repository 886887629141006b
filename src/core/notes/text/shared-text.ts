import type { Text } from '@codemirror/state';

/** Characters of the whole lines that both begin with because they are made of the same pieces; there may be more in common. */
export function sharedStart(a: Text, b: Text): number {
  if (a === b) return a.length;
  const [ours, theirs] = [a.children ?? [], b.children ?? []];
  let length = 0;
  for (const [index, child] of ours.entries()) {
    const other = theirs[index];
    if (!other) break;
    if (child !== other) return length + sharedStart(child, other);
    // With the line end behind it.
    length += child.length + 1;
  }
  return Math.min(length, a.length, b.length);
}

/** The same of those that both end with. */
export function sharedEnd(a: Text, b: Text): number {
  if (a === b) return a.length;
  const [ours, theirs] = [a.children ?? [], b.children ?? []];
  let length = 0;
  for (let back = 1; back <= Math.min(ours.length, theirs.length); back++) {
    const [child, other] = [ours.at(-back), theirs.at(-back)];
    if (!child || !other) break;
    if (child !== other) return length + sharedEnd(child, other);
    length += child.length + 1;
  }
  return Math.min(length, a.length, b.length);
}
