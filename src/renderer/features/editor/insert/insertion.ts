import type { EditorState, TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { type Addition, endOfTurn, type Insertion, keepsRest, parseConversation } from '../../../../markdown';
import { t } from '../../../base/text/text';
import { noteContext } from '../context/note-context';
import { useOpenNotes } from '../context/open-notes';

/** Puts something at a place of the text as it is once what was held there is gone. */
export type Inserter = (
  state: EditorState,
  place: number,
) => {
  readonly spec: TransactionSpec & { readonly changes: Insertion };
  readonly addition: Addition;
};

/**
 * What is inserted must leave all the rest of the note as it was read: it goes where it was wanted, else behind the turn that
 * place is in, else to the end of the note; null where none of them will do. `held` is text that goes with it.
 */
export function inserted(
  state: EditorState,
  { held, places }: Wanted,
  ...inserters: readonly Inserter[]
): TransactionSpec | null {
  const { tags, servers } = state.field(noteContext);
  const removed = state.update({ changes: held }).state;
  const note = removed.doc.toString();
  const conversation = parseConversation(note, tags, servers);
  const behindTurn = endOfText(note, endOfTurn(conversation, held.from, note.length), held.from);
  const all = [...(places === 'here' ? [held.from] : []), behindTurn, note.trimEnd().length];
  for (const place of new Set(all)) {
    for (const insert of inserters) {
      const { spec, addition } = insert(removed, place);
      if (keepsRest(note, spec.changes, { tags, servers }, addition))
        return { ...spec, changes: state.changes(held).compose(removed.changes(spec.changes)) };
    }
  }
  return null;
}

export interface Wanted {
  /** Goes, and is the place that was wanted. */
  readonly held: { readonly from: number; readonly to: number };
  /** `apart`: never in the middle of a turn. */
  readonly places: 'here' | 'apart';
}

/** Without the empty lines there, but behind a tag that has no text yet. */
function endOfText(note: string, end: number, least: number): number {
  return Math.max(note.slice(0, end).trimEnd().length, Math.min(least, end));
}

/** Does it, or says that it can't be done. */
export function dispatchInserted(view: EditorView, spec: TransactionSpec | null): void {
  if (spec) view.dispatch(spec);
  else
    useOpenNotes
      .getState()
      .change(view.state.field(noteContext).path, { problem: t('note.insertedNowhere'), settledIn: null });
  view.focus();
}
