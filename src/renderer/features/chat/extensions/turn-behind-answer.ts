import {
  type EditorState,
  type Extension,
  StateField,
  Transaction,
  type TransactionSpec,
} from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
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
}

const cursor = StateField.define<Cursor>({
  create: () => ({ isAtEnd: false, isPut: false }),
  update(value, transaction) {
    const isTheirs = transaction.docChanged && transaction.annotation(Transaction.remote) !== true;
    if (!isTheirs && transaction.selection === undefined) return value;
    const isAtEnd = transaction.newDoc.sliceString(transaction.newSelection.main.head).trim() === '';
    return { isAtEnd, isPut: isTheirs ? value.isPut && addsOnlyLines(transaction) : true };
  },
});

function addsOnlyLines(transaction: Transaction): boolean {
  let only = transaction.isUserEvent('input');
  transaction.changes.iterChanges((fromA, toA, _fromB, _toB, inserted) => {
    only &&= fromA === toA && inserted.toString().trim() === '';
  });
  return only;
}

export const endOfNote: Extension = cursor;

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
  // A tag that is written by hand opens a turn by itself.
  if (!isWriting && typed.startsWith('#')) return false;
  const turn = isWriting ? turnBehindWriting(state) : turnBelow(state, speaker);
  if (!turn) return false;
  view.dispatch(turn);
  if (opensLine.test(typed)) view.dispatch({ ...view.state.replaceSelection('\n'), userEvent: 'input.type' });
  return true;
}

/** A fence and a quote are none behind a tag. */
const opensLine = /^[`~>]/;

function turnBehindWriting(state: EditorState): TransactionSpec | null {
  const [tag] = state.field(noteContext).tags.user;
  const { length } = state.doc;
  const insert = `\n\n#${tag} : `;
  return tag === undefined
    ? null
    : {
        changes: { from: length, insert },
        selection: { anchor: length + insert.length },
        scrollIntoView: true,
        userEvent: 'input.turn',
      };
}

function turnBelow(state: EditorState, { textFrom }: SpeakerHere): TransactionSpec | null {
  const { head } = state.selection.main;
  const isApart = state.doc.lineAt(head).text.trim() === '' && !blockAround(state, head);
  if (!state.field(cursor).isPut || !(isApart || foldAt(state, head)?.to === head)) return null;
  return state.sliceDoc(textFrom).trim() === '' ? null : turnAtEnd(state);
}
