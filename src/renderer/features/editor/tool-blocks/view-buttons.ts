import type { Extension } from '@codemirror/state';
import { type EditorView, ViewPlugin } from '@codemirror/view';
import { noteContext } from '../context/note-context';
import { bringViews, toolOf } from '../reading/tool-block';
import { closeView, openView, viewsOf } from './view-places';
import { viewedCall } from './viewed-call';

/** Servers come and go; the cards on the screen offer the views of those that are there, without being drawn again. */
export const viewButtons: Extension = ViewPlugin.define((view) => {
  queueMicrotask(() => show(view));
  return {
    update(update) {
      const { tools } = update.state.field(noteContext);
      const changed = update.startState.field(noteContext).tools !== tools;
      // The cards of this update stand in the page only after it.
      if (changed || bringViews(tools)) queueMicrotask(() => show(update.view));
    },
  };
});

function show(view: EditorView): void {
  const { tools } = view.state.field(noteContext);
  for (const button of view.contentDOM.querySelectorAll<HTMLElement>('.cm-card-view')) {
    const { server = '', tool = '' } = button.dataset;
    button.hidden = toolOf(tools, { server, tool })?.viewUri === undefined;
  }
}

export function toggleView(view: EditorView, at: number): void {
  const open = viewsOf(view.state).find((one) => one.at === at);
  const call = open ? null : viewedCall(view.state, at);
  if (open) view.dispatch({ effects: closeView.of(open.key) });
  else if (call) view.dispatch({ effects: openView.of({ at, call }) });
}
