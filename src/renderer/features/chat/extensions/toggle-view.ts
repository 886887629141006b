import type { EditorView } from '@codemirror/view';
import type { ShownCall } from './callout-text';
import { noteContext } from './note-context';
import { toolOf } from './tool-block';
import { closeView, openView, viewsOf } from './view-places';
import { viewedCall } from './viewed-call';

export function bringsView(view: EditorView, call: ShownCall): boolean {
  if (call.state !== 'ok' && call.state !== 'error') return false;
  return toolOf(view.state.field(noteContext).tools, call)?.viewUri !== undefined;
}

export function toggleView(view: EditorView, at: number): void {
  const open = viewsOf(view.state).find((one) => one.at === at);
  const call = open ? null : viewedCall(view.state, at);
  if (open) view.dispatch({ effects: closeView.of(open.key) });
  else if (call) view.dispatch({ effects: openView.of({ at, call }) });
}
