import { type Extension, StateField, Transaction } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { noteContext } from './note-context';
import { speakerAt } from './speaker';
import { writingAt } from './writing';

/** Whether the person put the cursor at the end of the note; what others write behind it since is not their doing. */
const putAtEnd = StateField.define<boolean>({
  create: () => false,
  update(value, transaction) {
    const isTheirs = transaction.docChanged && transaction.annotation(Transaction.remote) !== true;
    if (!isTheirs && transaction.selection === undefined) return value;
    return transaction.newDoc.sliceString(transaction.newSelection.main.head).trim() === '';
  },
});

export const endOfNote: Extension = putAtEnd;

/**
 * Whoever types at the end of a note while an answer is written there begins their own turn: in the answer’s their words would
 * be the model’s, and scattered among its own. The answer goes on above.
 */
export function beginTurnBehindAnswer(view: EditorView): boolean {
  const { state } = view;
  const at = writingAt(state);
  const { main } = state.selection;
  const { length } = state.doc;
  const [tag] = state.field(noteContext).tags.user;
  if (at === null || tag === undefined || state.readOnly || !main.empty) return false;
  if (!state.field(putAtEnd) || speakerAt(state, main.head)?.role !== 'assistant') return false;
  const insert = `\n\n#${tag} : `;
  view.dispatch({
    changes: { from: length, insert },
    selection: { anchor: length + insert.length },
    scrollIntoView: true,
    userEvent: 'input.turn',
  });
  return true;
}
