import {
  type EditorState,
  type Extension,
  StateEffect,
  StateField,
  Transaction,
  type TransactionSpec,
} from '@codemirror/state';
import { EditorView, type ViewUpdate } from '@codemirror/view';
import { turnAtEnd } from '../turn-at-end';
import { blockAround } from './blocks';
import { foldAt } from './folds';
import { noteContext } from './note-context';
import { type SpeakerHere, speakerAt } from './speaker';
import { writingAt } from './writing';

interface Cursor {
  /** The person put it at the end of the note; what others write behind it since is not their doing. */
  readonly isAtEnd: boolean;
  /** Since it was put somewhere, nothing was written there but line breaks. */
  readonly isPut: boolean;
  /** An answer was being written when it was put there. It may have ended since: what is typed is for the next turn all the same. */
  readonly wasWriting: boolean;
}

const cursor = StateField.define<Cursor>({
  create: () => ({ isAtEnd: false, isPut: false, wasWriting: false }),
  update(value, transaction) {
    const isTheirs = transaction.docChanged && transaction.annotation(Transaction.remote) !== true;
    if (!isTheirs && transaction.selection === undefined) return value;
    const isAtEnd = transaction.newDoc.sliceString(transaction.newSelection.main.head).trim() === '';
    return {
      isAtEnd,
      isPut: isTheirs ? value.isPut && addsOnlyLines(transaction) : true,
      wasWriting: writingAt(transaction.startState) !== null,
    };
  },
});

function addsOnlyLines(transaction: Transaction): boolean {
  let only = transaction.isUserEvent('input');
  transaction.changes.iterChanges((fromA, toA, _fromB, _toB, inserted) => {
    only &&= fromA === toA && inserted.toString().trim() === '';
  });
  return only;
}

const turnBegun = StateEffect.define<number>();

/** Where a turn begins that was begun here while an answer was being written. */
const begunTurn = StateField.define<number | null>({
  create: () => null,
  update(at, transaction) {
    for (const effect of transaction.effects) if (effect.is(turnBegun)) return effect.value;
    return at === null ? null : transaction.changes.mapPos(at, 1);
  },
});

/** The core may open the next turn in the same moment, above the one that was begun here: then one of them is too many. */
function oneTurn({ view, state, docChanged, transactions }: ViewUpdate): void {
  if (!docChanged || state.field(begunTurn) === null) return;
  if (!transactions.some((one) => one.annotation(Transaction.remote))) return;
  queueMicrotask(() => {
    const at = view.state.field(begunTurn);
    const head = nextTurn(view.state);
    if (at === null || head === null || view.state.readOnly) return;
    const from = at - head.length;
    if (from < 0 || view.state.sliceDoc(from, at + head.length) !== head + head) return;
    view.dispatch({ changes: { from, to: at }, annotations: Transaction.addToHistory.of(false) });
  });
}

/** Of text of which no key is told. */
const onInput = EditorView.inputHandler.of((view, from, to, text) => {
  const { head } = view.state.selection.main;
  if (view.composing || from !== to || from !== head || !beginTurnBehindAnswer(view, text)) return false;
  view.dispatch({ ...view.state.replaceSelection(text), userEvent: 'input.type' });
  return true;
});

export const endOfNote: Extension = [cursor, begunTurn, EditorView.updateListener.of(oneTurn), onInput];

/**
 * Whoever types at the end of a note while an answer is written there begins their own turn: in the answer’s their words would
 * be the model’s, and scattered among its own. The answer goes on above. Below an answer that is there already it is the same,
 * for whoever put the cursor there; who writes on in it changes it.
 */
export function beginTurnBehindAnswer(view: EditorView, typed: string): boolean {
  const { state } = view;
  const { main } = state.selection;
  const speaker = speakerAt(state, main.head);
  if (state.readOnly || !main.empty || !state.field(cursor).isAtEnd || speaker?.role !== 'assistant')
    return false;
  const isWriting = writingAt(state) !== null;
  const { wasWriting } = state.field(cursor);
  // A tag that is written by hand opens a turn by itself.
  if (!isWriting && !wasWriting && (typed === '\n' || typed.startsWith('#'))) return false;
  const turn =
    isWriting && !endsWithTurn(state)
      ? turnBehindWriting(state)
      : isWriting || wasWriting
        ? turnBehindWritten(state)
        : turnBelow(state, speaker);
  if (!turn) return false;
  view.dispatch(turn);
  if (opensLine.test(typed)) view.dispatch({ ...view.state.replaceSelection('\n'), userEvent: 'input.type' });
  return true;
}

/** A fence and a quote are none behind a tag. */
const opensLine = /^[`~>]/;

function nextTurn(state: EditorState): string | null {
  const [tag] = state.field(noteContext).tags.user;
  return tag === undefined ? null : `\n\n#${tag} : `;
}

/** The core has opened it, and its news that the answer has ended is still on its way. */
function endsWithTurn(state: EditorState): boolean {
  const head = nextTurn(state)?.trimEnd();
  return head !== undefined && state.doc.toString().trimEnd().endsWith(head);
}

function turnBehindWriting(state: EditorState): TransactionSpec | null {
  const insert = nextTurn(state);
  const { length } = state.doc;
  return insert === null
    ? null
    : {
        changes: { from: length, insert },
        selection: { anchor: length + insert.length },
        effects: turnBegun.of(length),
        scrollIntoView: true,
        userEvent: 'input.turn',
      };
}

/** The core may not have opened the next one yet. */
function turnBehindWritten(state: EditorState): TransactionSpec | null {
  const turn = turnAtEnd(state);
  return turn && { ...turn, effects: turnBegun.of(state.doc.toString().trimEnd().length) };
}

function turnBelow(state: EditorState, { textFrom }: SpeakerHere): TransactionSpec | null {
  const { head } = state.selection.main;
  const isApart = state.doc.lineAt(head).text.trim() === '' && !blockAround(state, head);
  if (!state.field(cursor).isPut || !(isApart || foldAt(state, head)?.to === head)) return null;
  return state.sliceDoc(textFrom).trim() === '' ? null : turnAtEnd(state);
}
