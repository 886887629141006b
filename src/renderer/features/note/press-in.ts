import { EditorView } from '@codemirror/view';
import { isText } from '../../base/keyboard/held-keys';
import { leaveDrawn } from '../editor/preview/beside-drawn';
import { makeRoom } from '../editor/turns/room-at-cards';

/** A key that was pressed before the editor was there does in it what it would have done. */
export function pressIn(view: EditorView, pressed: KeyboardEvent): void {
  if (!view.contentDOM.dispatchEvent(new KeyboardEvent('keydown', pressed))) return;
  if (isText(pressed)) write(view, pressed.key);
}

/** The same with a text; the cursor stands in it where it stood. */
export function typeIn(view: EditorView, text: string, caret: number): void {
  leaveDrawn(view);
  makeRoom(view, text);
  write(view, text);
  const { head } = view.state.selection.main;
  const back = text.length - caret;
  if (back > 0 && view.state.sliceDoc(head - text.length, head) === text)
    view.dispatch({ selection: { anchor: head - back } });
}

function write(view: EditorView, text: string): void {
  if (view.state.readOnly) return;
  const { from, to } = view.state.selection.main;
  const insert = () =>
    view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true });
  const handlers = view.state.facet(EditorView.inputHandler);
  if (!handlers.some((handle) => handle(view, from, to, text, insert))) view.dispatch(insert());
}
