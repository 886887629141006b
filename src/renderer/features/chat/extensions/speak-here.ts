import type { EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { Role } from '../../../../markdown';
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

export interface SpeakerHere {
  readonly role: Role | 'new-chat';
  readonly tag: string;
  /** Start of the line with the tag, and of the text behind it. */
  readonly line: number;
  readonly textFrom: number;
}

/** Whose turn a place is in; null where nobody speaks. */
export function speakerAt(state: EditorState, at: number): SpeakerHere | null {
  const { tags } = state.field(noteContext);
  for (let number = state.doc.lineAt(at).number; number >= 1; number--) {
    const { from, text } = state.doc.line(number);
    const tag = text.includes('#') ? roleTagsOf(text, tags).at(-1) : undefined;
    if (tag && !blockAround(state, from))
      return { role: tag.role, tag: tag.tag, line: from, textFrom: from + tag.to };
  }
  return null;
}

/** Null where a turn is open already, or there is nothing to say. */
export function startOfWords(state: EditorState): number | null {
  const { from, to, empty } = state.selection.main;
  if (speakerAt(state, to)) return null;
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
