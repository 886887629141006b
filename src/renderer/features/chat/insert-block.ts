import type { EditorState, TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { behindBlock } from './extensions/tool-block';

/** Text on lines of its own at the cursor, or behind the block that the cursor is in; the cursor goes behind it. */
export function blockInserted(state: EditorState, text: string): TransactionSpec {
  const { head } = state.selection.main;
  const line = state.doc.lineAt(head);
  const behind = behindBlock(state, head);
  const onEmpty = !behind && line.text.trim() === '';
  const from = behind ? behind.at : onEmpty ? line.from : line.to;
  const lead = behind ? `${behind.closing}\n\n` : onEmpty ? '' : '\n\n';
  const insert = `${lead}${text}\n`;
  return {
    changes: { from, to: onEmpty ? line.to : from, insert },
    selection: { anchor: from + insert.length },
    scrollIntoView: true,
    userEvent: 'input.block',
  };
}

export function insertBlock(view: EditorView, text: string): void {
  if (view.state.readOnly) return;
  view.dispatch(blockInserted(view.state, text));
  view.focus();
}
