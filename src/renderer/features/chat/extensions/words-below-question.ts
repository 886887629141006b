import { type Extension, StateField, type Text, Transaction } from '@codemirror/state';
import { EditorView, type ViewUpdate } from '@codemirror/view';
import { speakerAt } from './speaker';
import { beginTurnOf } from './turn-behind-answer';

/** What the person types on just now. */
interface Typed {
  readonly from: number;
  readonly to: number;
  /** Behind the tag of an answer that was put above it meanwhile. */
  readonly below: number | null;
}

const typed = StateField.define<Typed | null>({
  create: () => null,
  update(value, transaction) {
    const { changes, docChanged } = transaction;
    if (!docChanged) return transaction.selection ? null : value;
    if (transaction.annotation(Transaction.remote)) return value && withRemote(value, transaction);
    if (!transaction.isUserEvent('input') || transaction.isUserEvent('input.turn')) return null;
    let next: Typed | null = null;
    changes.iterChanges((fromA, toA, fromB, toB) => {
      const goesOn = value !== null && fromA >= value.from && toA === value.to;
      next = goesOn ? { ...value, to: toB } : { from: fromB, to: toB, below: null };
    });
    return next;
  },
});

function withRemote({ from, to, below }: Typed, transaction: Transaction): Typed {
  const { changes, newDoc, startState } = transaction;
  const moved = { from: changes.mapPos(from, 1), to: changes.mapPos(to, -1) };
  const known = below === null ? null : changes.mapPos(below, -1);
  if (known !== null) return { ...moved, below: known };
  let tag: number | null = null;
  changes.iterChanges((_fromA, _toA, fromB, _toB, inserted) => {
    const found = /\n#[^\n]+? : /.exec(inserted.toString());
    if (found && fromB < moved.from) tag = fromB + found.index + found[0].length;
  });
  // Whose turn it was is looked for only then: pieces of answers come often, and turns are long.
  const isBelow = tag !== null && isBlank(newDoc, tag, moved.from);
  return { ...moved, below: isBelow && speakerAt(startState, from)?.role === 'user' ? tag : null };
}

const isBlank = (doc: Text, from: number, to: number) => from < to && doc.sliceString(from, to).trim() === '';

/**
 * Somebody else asks the question above just as the person begins to type below it: their words came to stand under the tag of
 * the answer, as if the model had said them. They begin the next turn, as where the answer was awaited.
 */
function beginTurn({ view, state, docChanged }: ViewUpdate): void {
  const before = state.field(typed);
  if (!docChanged || before?.below == null) return;
  queueMicrotask(() => {
    const now = view.state.field(typed);
    if (now?.below == null || view.state.readOnly || view.composing) return;
    if (speakerAt(view.state, now.from)?.role !== 'assistant') return;
    const words = view.state.sliceDoc(0, now.from).trimEnd().length;
    const turn = beginTurnOf(view.state, Math.max(words, now.below), now.from);
    if (turn) view.dispatch(turn);
  });
}

export const wordsBelowQuestion: Extension = [typed, EditorView.updateListener.of(beginTurn)];
