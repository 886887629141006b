import type { EditorView } from '@codemirror/view';
import { blockAround } from './blocks';
import type { ShownCall } from './callout-text';
import { noteContext } from './note-context';

/** The card's call once more: its own block if a person wrote one above, else a copy of the model's below. */
export function runAgain(view: EditorView, at: number, call: ShownCall): void {
  const { actions } = view.state.field(noteContext);
  const above = call.block === null ? blockAbove(view, at) : null;
  const place = above ?? insertBelow(view, at, call);
  if (place !== null) actions.runBlock(view, place);
}

export function copyOfBlockBelow(view: EditorView, at: number, call: ShownCall): void {
  const above = call.block === null ? blockAbove(view, at) : null;
  const place = above ?? insertBelow(view, at, call);
  if (place === null) return;
  const line = view.state.doc.lineAt(place);
  const second = line.number < view.state.doc.lines ? view.state.doc.line(line.number + 1) : line;
  view.dispatch({ selection: { anchor: second.to }, scrollIntoView: true });
  view.focus();
}

function blockAbove(view: EditorView, at: number): number | null {
  const line = view.state.doc.lineAt(at);
  if (line.number === 1) return null;
  const before = blockAround(view.state, view.state.doc.line(line.number - 1).to);
  return before?.value.kind === 'fence' ? before.from : null;
}

function insertBelow(view: EditorView, at: number, call: ShownCall): number | null {
  const callout = blockAround(view.state, at);
  if (!callout || call.block === null || view.state.readOnly) return null;
  const insert = `\n\n${call.block}\n`;
  view.dispatch({ changes: { from: callout.to, insert }, userEvent: 'input.block' });
  return callout.to + 2;
}
