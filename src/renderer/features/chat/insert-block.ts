import type { EditorView } from '@codemirror/view';

/** Puts text on lines of its own at the cursor and goes behind it. */
export function insertBlock(view: EditorView, text: string): void {
  if (view.state.readOnly) return;
  const { head } = view.state.selection.main;
  const line = view.state.doc.lineAt(head);
  const onEmpty = line.text.trim() === '';
  const at = onEmpty ? line.from : line.to;
  const insert = `${onEmpty ? '' : '\n\n'}${text}\n`;
  view.dispatch({
    changes: { from: at, to: onEmpty ? line.to : at, insert },
    selection: { anchor: at + insert.length },
    scrollIntoView: true,
    userEvent: 'input.block',
  });
  view.focus();
}
