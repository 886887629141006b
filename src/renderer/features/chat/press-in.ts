import { EditorView } from '@codemirror/view';
import { isText } from '../../app/held-keys';

/** A key that was pressed before the editor was there does in it what it would have done. */
export function pressIn(view: EditorView, pressed: KeyboardEvent): void {
  if (!view.contentDOM.dispatchEvent(new KeyboardEvent('keydown', pressed))) return;
  if (!isText(pressed) || view.state.readOnly) return;
  const { key } = pressed;
  const { from, to } = view.state.selection.main;
  const insert = () =>
    view.state.update(view.state.replaceSelection(key), { userEvent: 'input.type', scrollIntoView: true });
  const handlers = view.state.facet(EditorView.inputHandler);
  if (!handlers.some((handle) => handle(view, from, to, key, insert))) view.dispatch(insert());
}
