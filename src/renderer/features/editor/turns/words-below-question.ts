import {
  type ChangeSet,
  type EditorState,
  type Extension,
  StateField,
  type Text,
  Transaction,
} from '@codemirror/state';
import { EditorView, type ViewUpdate } from '@codemirror/view';
import { speakerAt } from '../reading/speaker';
import { beginTurnOf } from './turn-behind-answer';

/** What the person types on just now, or where they may begin to. */
interface Typed {
  readonly from: number;
  readonly to: number;
  /** Behind the tag of an answer that was put above it meanwhile. */
  readonly below: number | null;
}

const typed = StateField.define<Typed | null>({
  create: () => null,
  update(value, transaction) {
    const { changes, docChanged, startState } = transaction;
    if (!docChanged) return transaction.selection ? null : value;
    if (transaction.annotation(Transaction.remote))
      return withRemote(value ?? atCursor(startState), transaction);
    if (!transaction.isUserEvent('input') || transaction.isUserEvent('input.turn')) return null;
    let next: Typed | null = null;
    changes.iterChanges((fromA, toA, fromB, toB) => {
      const goesOn = value !== null && fromA >= value.from && toA === value.to;
      // The line breaks above the words are the question's end as well, and written anew with it.
      const hasWords = goesOn && !isBlank(startState.doc, value.from, value.to);
      next = { from: hasWords ? value.from : fromB, to: toB, below: goesOn ? value.below : null };
    });
    return next;
  },
});

function atCursor({ selection }: EditorState): Typed | null {
  const { head, empty } = selection.main;
  return empty ? { from: head, to: head, below: null } : null;
}

/** An answer's tag may come above what was typed, or between its lines: then the lines below it. */
function withRemote(value: Typed | null, transaction: Transaction): Typed | null {
  if (value === null) return null;
  const { from, to, below } = value;
  const { changes, newDoc, startState } = transaction;
  const end = changes.mapPos(to, -1);
  const moved = { from: Math.min(changes.mapPos(from, 1), end), to: end };
  if (below !== null) return { ...moved, below: changes.mapPos(below, -1) };
  const put = tagPutIn(changes);
  if (put === null || put.tag > moved.to) return { ...moved, below: null };
  // With the tag may come what the answer has said by then.
  const start = Math.min(Math.max(put.to, moved.from), moved.to);
  const words = start + (/^\s*/.exec(newDoc.sliceString(start, moved.to))?.[0].length ?? 0);
  // Whose turn it was is looked for only then: pieces of answers come often, and turns are long.
  const isBelow = isBlank(newDoc, put.to, words) && speakerAt(startState, from)?.role === 'user';
  return { from: words, to: moved.to, below: isBelow ? put.tag : null };
}

/** `tag`: behind the tag that is put in; `to`: behind all that is put there with it. */
function tagPutIn(changes: ChangeSet): { readonly tag: number; readonly to: number } | null {
  let put: { tag: number; to: number } | null = null;
  changes.iterChanges((_fromA, _toA, fromB, toB, inserted) => {
    const match = /(?:^|\n)#[^\n]+? : /.exec(inserted.toString());
    if (match) put = { tag: fromB + match.index + match[0].length, to: toB };
  });
  return put;
}

const isBlank = (doc: Text, from: number, to: number) => doc.sliceString(from, to).trim() === '';

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
    if (isBlank(view.state.doc, now.from, now.to)) return;
    if (speakerAt(view.state, now.from)?.role !== 'assistant') return;
    const words = view.state.sliceDoc(0, now.from).trimEnd().length;
    const turn = beginTurnOf(view.state, Math.max(words, now.below), now.from);
    if (turn) view.dispatch(turn);
  });
}

export const wordsBelowQuestion: Extension = [typed, EditorView.updateListener.of(beginTurn)];
