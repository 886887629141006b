import type { EditorView } from '@codemirror/view';
import { printForeignText } from '../../../markdown';
import { noteContext } from './extensions/note-context';

/** Puts what the person agreed to say at the end of the note. False where it cannot be changed. Foreign text opens no other turn, forges no call and brings in nothing. */
export function addTurn(view: EditorView, text: string): boolean {
  const { state } = view;
  const { tags } = state.field(noteContext);
  const [tag] = tags.user;
  if (tag === undefined || state.readOnly) return false;
  const head = `#${tag} : `;
  const last = state.doc.line(state.doc.lines);
  // A turn that is open and empty is where it goes.
  const from = last.text.trim() === head.trim() ? last.from : last.to;
  const lead = from === last.from || last.text.trim() === '' ? '' : '\n\n';
  const before = `${state.sliceDoc(0, from)}${lead}${head}`;
  const insert = `${lead}${head}${printForeignText(text, tags, before)}\n`;
  view.dispatch({
    changes: { from, to: last.to, insert },
    selection: { anchor: from + insert.length - 1 },
    scrollIntoView: true,
    userEvent: 'input.turn',
  });
  return true;
}
