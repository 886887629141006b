import type { EditorState, Extension, Line } from '@codemirror/state';
import { type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { colouringChanged } from '../context/note-context';

/** Draws what is on the screen anew with every change of text, view, cursor, focus, of what lines are read with, or of what else it shows. */
export function drawn(
  decorate: (view: EditorView) => DecorationSet,
  changed: (before: EditorState, after: EditorState) => boolean = () => false,
): Extension {
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = decorate(view);
      }
      update(update: ViewUpdate) {
        const { docChanged, viewportChanged, selectionSet, focusChanged, startState, state, view } = update;
        const moved = docChanged || viewportChanged || selectionSet || focusChanged;
        if (moved || colouringChanged(startState, state) || changed(startState, state))
          this.decorations = decorate(view);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  );
}

/** The lines from the one at `from` to the one at `to`. */
export function* linesBetween(state: EditorState, from: number, to: number): Generator<Line> {
  for (let line = state.doc.lineAt(from); line.from <= to; line = state.doc.line(line.number + 1)) {
    yield line;
    if (line.number === state.doc.lines) return;
  }
}
