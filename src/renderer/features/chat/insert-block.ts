import type { EditorState, TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { printForeignText } from '../../../markdown';
import { noteContext } from './extensions/note-context';
import { behindBlock } from './extensions/tool-block';

/** Text on lines of its own at the cursor, or behind the block that the cursor is in; the cursor goes behind it. */
export function blockInserted(state: EditorState, text: string): TransactionSpec {
  return inserted(state, () => text);
}

/** The same with what a server wrote: it is text and nothing more, and brings in nothing of the vault. */
export function foreignTextInserted(state: EditorState, text: string): TransactionSpec {
  const { tags } = state.field(noteContext);
  return inserted(state, (before) => printForeignText(text, tags, before));
}

function inserted(state: EditorState, print: (before: string) => string): TransactionSpec {
  const { head } = state.selection.main;
  const line = state.doc.lineAt(head);
  const behind = behindBlock(state, head);
  const onEmpty = !behind && line.text.trim() === '';
  const from = behind ? behind.at : onEmpty ? line.from : line.to;
  const lead = behind ? `${behind.closing}\n\n` : onEmpty ? '' : '\n\n';
  const insert = `${lead}${print(state.sliceDoc(0, from) + lead)}\n`;
  return {
    changes: { from, to: onEmpty ? line.to : from, insert },
    selection: { anchor: from + insert.length },
    scrollIntoView: true,
    userEvent: 'input.block',
  };
}

export function insertBlock(view: EditorView, text: string): void {
  insert(view, blockInserted(view.state, text));
}

export function insertForeignText(view: EditorView, text: string): void {
  insert(view, foreignTextInserted(view.state, text));
}

function insert(view: EditorView, change: TransactionSpec): void {
  if (view.state.readOnly) return;
  view.dispatch(change);
  view.focus();
}
