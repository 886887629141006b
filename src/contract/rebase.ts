import type { ChangeSet } from '@codemirror/state';

/** A change of a note, and whose it is. */
export interface OwnedChange {
  readonly clientId: string;
  readonly changes: ChangeSet;
}

/**
 * One hand's changes, brought behind the `next` one that the core took before them; `shown` is what `next` changes where
 * they are shown already, null where it is the first of them, come back. Core and windows order what is written at one
 * moment by this alone, one change after the other: so they come to the same text.
 */
export function rebase<Own extends OwnedChange>(
  own: readonly Own[],
  next: OwnedChange,
): { readonly own: Own[]; readonly shown: ChangeSet | null } {
  if (own[0]?.clientId === next.clientId) return { own: own.slice(1), shown: null };
  let shown = next.changes;
  const behind = own.map((one) => {
    const isFirst = goesOnAbove(one.changes, shown);
    const changes = one.changes.map(shown, isFirst);
    shown = shown.map(one.changes, !isFirst);
    return { ...one, changes };
  });
  return { own: behind, shown };
}

/**
 * Of two insertions at one place the one that the core took first comes first; but where it begins a line below, what is
 * typed at that moment belongs to the line above: the last word of a question stays a word when somebody else asks it.
 */
function goesOnAbove(own: ChangeSet, taken: ChangeSet): boolean {
  const ends = insertions(own).filter(({ beginsLine }) => !beginsLine);
  if (ends.length === 0) return false;
  const places = new Set(ends.map(({ at }) => at));
  return insertions(taken).some(({ at, beginsLine }) => beginsLine && places.has(at));
}

function insertions(changes: ChangeSet): { readonly at: number; readonly beginsLine: boolean }[] {
  const found: { at: number; beginsLine: boolean }[] = [];
  changes.iterChanges((from, to, _fromB, _toB, text) => {
    if (from === to) found.push({ at: from, beginsLine: text.lines > 1 && text.line(1).length === 0 });
  });
  return found;
}
