import type { EditorState, TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { openFence, printForeignText } from '../../../../markdown';
import { noteContext } from '../context/note-context';

/**
 * A turn of the person at the end of the note, empty or with words; null where it cannot be changed. `before` is the note
 * up to the words.
 */
export function turnAtEnd(
  state: EditorState,
  words: (before: string) => string = () => '',
): TransactionSpec | null {
  const [tag] = state.field(noteContext).tags.user;
  if (tag === undefined || state.readOnly) return null;
  const head = `#${tag} : `;
  const text = state.doc.toString().trimEnd();
  const lastLine = text.slice(text.lastIndexOf('\n') + 1);
  const closing = openFence(text);
  // A turn that is open and empty is where it goes.
  const waits = closing === '' && lastLine === head.trimEnd();
  const from = waits ? text.length - lastLine.length : text.length;
  const lead = waits || text === '' ? '' : closing === '' ? '\n\n' : `\n${closing}\n\n`;
  const leadWords = words(`${text.slice(0, from)}${lead}${head}`);
  const insert = `${lead}${head}${leadWords}`;
  const isThere = leadWords === '' && state.sliceDoc(from) === insert;
  return {
    // What stands there already is not written anew: somebody may be composing text in it.
    changes: isThere ? [] : { from, to: state.doc.length, insert: leadWords === '' ? insert : `${insert}\n` },
    selection: { anchor: from + insert.length },
    scrollIntoView: true,
    userEvent: 'input.turn',
  };
}

/** Goes to a turn at the end where the person may ask. */
export function beginTurn(view: EditorView): void {
  const turn = turnAtEnd(view.state);
  if (turn) view.dispatch(turn);
}

/** Puts what the person agreed to say at the end of the note. False where it cannot be changed. Foreign text opens no other turn, forges no call and brings in nothing. */
export function addTurn(view: EditorView, text: string): boolean {
  const { tags } = view.state.field(noteContext);
  const turn = turnAtEnd(view.state, (before) => printForeignText(text, tags, before));
  if (turn) view.dispatch(turn);
  return turn !== null;
}
