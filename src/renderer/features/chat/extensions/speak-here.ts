import type { EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { blockAround } from './blocks';
import { noteContext } from './note-context';
import { roleTagsOf } from './role-tag';

/** Where nobody speaks yet, the paragraph at the cursor (or the selection) becomes what the person says. */
export function speakHere(view: EditorView): void {
  const { state } = view;
  const [tag] = state.field(noteContext).tags.user;
  const from = startOfWords(state);
  if (state.readOnly || tag === undefined || from === null) return;
  view.dispatch({ changes: { from, insert: `#${tag} : ` }, userEvent: 'input.tag' });
}

/** Null where a turn is open already, or there is nothing to say. */
export function startOfWords(state: EditorState): number | null {
  const { from, to, empty } = state.selection.main;
  const { tags } = state.field(noteContext);
  for (let number = state.doc.lineAt(to).number; number >= 1; number--) {
    const { from: at, text } = state.doc.line(number);
    if (text.includes('#') && roleTagsOf(text, tags).length > 0 && !blockAround(state, at)) return null;
  }
  let line = state.doc.lineAt(from);
  if (!empty) {
    while (line.text.trim() === '' && line.to < to) line = state.doc.line(line.number + 1);
    return line.text.trim() === '' ? null : line.from;
  }
  if (line.text.trim() === '') return null;
  while (line.number > 1) {
    const above = state.doc.line(line.number - 1);
    if (above.text.trim() === '' || /^#{1,6} /.test(above.text) || blockAround(state, above.from)) break;
    line = above;
  }
  return blockAround(state, line.from) ? null : line.from;
}
