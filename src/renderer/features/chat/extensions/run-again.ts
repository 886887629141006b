import type { EditorView } from '@codemirror/view';
import { blockAround } from './blocks';
import type { ShownCall } from './callout-text';
import { setFold } from './fold-mode';
import { noteContext } from './note-context';
import { blockAbove } from './tool-block';

/** The card's call once more; its new result stands in the card, which opens for it. */
export function runAgain(view: EditorView, at: number): void {
  const { actions } = view.state.field(noteContext);
  view.dispatch({ effects: setFold.of({ at, mode: 'open' }) });
  actions.runBlock(view, at);
}

/** Goes to where the call is written, with Run beside it: the person's block above, else the card's own text. */
export function editAgain(view: EditorView, at: number, call: ShownCall): void {
  if (view.state.readOnly) return;
  const { doc } = view.state;
  const block = call.block === null ? blockAbove(view.state, at) : blockAround(view.state, at);
  if (!block) return;
  const effects = call.block === null ? [] : [setFold.of({ at: block.from, mode: 'source' })];
  view.dispatch({
    selection: { anchor: endOfArguments(doc.sliceString(block.from, block.to)) + block.from },
    effects,
    scrollIntoView: true,
  });
  view.focus();
}

/** The end of the last line before the fence that closes the call. */
function endOfArguments(text: string): number {
  const lines = text.split('\n');
  const isFence = (line: string) => /^(?:> ?)?\s{0,3}(?:`{3,}|~{3,})/.test(line);
  const opening = lines.findIndex(isFence);
  const closing = lines.findIndex((line, index) => index > opening && isFence(line));
  return lines.slice(0, Math.max(closing, 1)).join('\n').length;
}
