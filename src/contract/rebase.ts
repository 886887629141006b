import type { ChangeSet } from '@codemirror/state';

/** A change of a note, and whose it is. */
export interface OwnedChange {
  readonly clientId: string;
  readonly changes: ChangeSet;
  /** It is put directly behind what the same hand put there before. */
  readonly goesOn?: true | undefined;
}

/**
 * One hand's changes, brought behind the `next` one that the core took before them; `editorChanges` is what `next` changes where
 * they are shown already, null where it is the first of them, come back. Core and windows order what is written at one
 * moment by this alone, one change after the other: so they come to the same text.
 */
export function rebase<Own extends OwnedChange>(
  own: readonly Own[],
  next: OwnedChange,
): { readonly own: Own[]; readonly editorChanges: ChangeSet | null } {
  if (own[0]?.clientId === next.clientId) return { own: own.slice(1), editorChanges: null };
  let ownChanges = next.changes;
  const behind = own.map((one) => {
    const isFirst = comesFirst(one, { ...next, changes: ownChanges });
    const changes = one.changes.map(ownChanges, isFirst);
    ownChanges = ownChanges.map(one.changes, !isFirst);
    return { ...one, changes };
  });
  return { own: behind, editorChanges: ownChanges };
}

/**
 * Of two insertions at one place the one that the core took first comes first, but for two. What goes on stays with what it
 * goes on: the words of two who type there at once are not woven together. And where it begins a line, what is typed at that
 * moment belongs to the line above: the last word of a question stays a word when somebody else asks it. A tag is none behind
 * other words.
 */
function comesFirst(own: OwnedChange, taken: OwnedChange): boolean {
  const theirs = insertions(taken.changes);
  const meeting = insertions(own.changes).flatMap((one) => {
    const other = theirs.find(({ at }) => at === one.at);
    return other ? [{ one, other }] : [];
  });
  if (meeting.length === 0 || taken.goesOn || meeting.some(({ other }) => other.opensTurn)) return false;
  return own.goesOn === true || meeting.some(({ one, other }) => other.beginsLine && !one.beginsLine);
}

/** Whether all that the changes do is to put something at one place, which is in here. */
export function putsOnlyIn(changes: ChangeSet, from: number, to: number): boolean {
  let count = 0;
  let isIn = true;
  changes.iterChanges((fromA, toA) => {
    count++;
    isIn &&= fromA === toA && from <= fromA && toA <= to;
  });
  return count === 1 && isIn;
}

/** Behind what they put there last; null: they only take away. */
export function endOfInsertion(changes: ChangeSet): number | null {
  let end: number | null = null;
  changes.iterChanges((_fromA, _toA, fromB, toB) => {
    if (fromB < toB) end = toB;
  });
  return end;
}

interface Insertion {
  readonly at: number;
  readonly beginsLine: boolean;
  /** Its first line begins with a tag. */
  readonly opensTurn: boolean;
}

function insertions(changes: ChangeSet): readonly Insertion[] {
  const list: Insertion[] = [];
  changes.iterChanges((from, to, _fromB, _toB, text) => {
    if (from !== to) return;
    const first = text.line(1);
    const beginsLine = text.lines > 1 && first.length === 0;
    list.push({ at: from, beginsLine, opensTurn: /^#[^\s#].* : /.test(first.text) });
  });
  return list;
}
