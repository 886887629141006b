import type { ChangeSet } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { isComposedInAnswer } from './turn-behind-answer';

/** Where others write in the line of text that is being composed, the browser loses track of it, and it may stand there twice. */
export function disturbsComposition(view: EditorView, changes: () => ChangeSet | null): boolean {
  const { state } = view;
  if (isComposedInAnswer(state)) return true;
  if (!view.composing) return false;
  const { from, to } = state.doc.lineAt(state.selection.main.head);
  return Boolean(changes()?.touchesRange(from, to));
}
