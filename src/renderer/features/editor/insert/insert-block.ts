import type { EditorState, TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { type Addition, printForeignText } from '../../../../markdown';
import { noteContext } from '../context/note-context';
import { dispatchInserted, inserted } from './insertion';
import { placeBehind } from './place-behind';

/** Text on lines of its own at the cursor, or behind what the cursor is in the middle of; the cursor goes behind it. */
export function blockInserted(state: EditorState, text: string): TransactionSpec | null {
  return onOwnLines(state, () => text, { turns: 0, blocks: 1, links: [], isOwn: true });
}

/** The same with what a server wrote: it is text and nothing more, and brings in nothing of the vault. */
export function foreignTextInserted(state: EditorState, text: string): TransactionSpec | null {
  const { tags } = state.field(noteContext);
  return onOwnLines(state, (before) => printForeignText(text, tags, before), {
    turns: 0,
    blocks: Number.POSITIVE_INFINITY,
    links: [],
  });
}

function onOwnLines(
  state: EditorState,
  print: (before: string) => string,
  addition: Addition,
): TransactionSpec | null {
  const { head } = state.selection.main;
  const options = { held: { from: head, to: head }, places: 'here' } as const;
  return inserted(state, options, (now, place) => ({ spec: placed(now, place, print), addition }));
}

function placed(state: EditorState, place: number, print: (before: string) => string) {
  const line = state.doc.lineAt(place);
  const behind = placeBehind(state, place);
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
  if (!view.state.readOnly) dispatchInserted(view, blockInserted(view.state, text));
}

export function insertForeignText(view: EditorView, text: string): void {
  if (!view.state.readOnly) dispatchInserted(view, foreignTextInserted(view.state, text));
}
