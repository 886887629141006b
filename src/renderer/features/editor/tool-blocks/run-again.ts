import type { EditorView } from '@codemirror/view';
import { noteContext } from '../context/note-context';
import type { ShownCall, ShownCallout } from '../context/shown-call';
import { setFold } from '../drawing/fold-mode';
import { blockAbove } from '../reading/tool-block';

/** The card's call once more, as the card shows it; its new result stands in the card, which opens for it. */
export function runAgain(view: EditorView, at: number, call: ShownCall): void {
  const { actions } = view.state.field(noteContext);
  view.dispatch({ effects: setFold.of({ at, mode: 'open' }) });
  actions.runBlock(view, at, call);
}

/** Goes to where the call is written, with Run beside it: the person's block above, else the card's own text. */
export function editAgain(view: EditorView, at: number, { own }: ShownCallout): void {
  const { state } = view;
  if (state.readOnly) return;
  const block = own ? null : blockAbove(state, at);
  if (!own && !block) return;
  const first = state.doc.lineAt(at).number;
  const closing = own
    ? state.doc.line(Math.min(state.doc.lines, first + (own.closedAt ?? 1)))
    : state.doc.lineAt(block?.to ?? at);
  view.dispatch({
    // Behind the last argument.
    selection: { anchor: Math.max(block?.from ?? at, closing.from - 1) },
    effects: own ? [setFold.of({ at, mode: 'source' })] : [],
    scrollIntoView: true,
  });
  view.focus();
}
