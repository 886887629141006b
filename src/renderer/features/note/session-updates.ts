import { type Extension, Transaction } from '@codemirror/state';
import { EditorView, type ViewUpdate } from '@codemirror/view';
import { useOpenNotes } from '../editor/context/open-notes';
import { changeNote, type SessionState } from './session-state';

/** How long after a change or a move of the cursor the panels beside the note look again. */
const touchDelay = 250;

/** What each change and each move of the cursor tells the rest of the session. */
export function tellUpdates(session: () => SessionState): Extension {
  let isTouchDue = false;
  let touched = 0;
  return EditorView.updateListener.of((update) => {
    if (update.docChanged) tellChange(session(), update);
    if (update.selectionSet) session().runInView.wait.leave();
    if (update.transactions.some((t) => ['select', 'input', 'delete'].some((kind) => t.isUserEvent(kind)))) {
      session().runInView.writing.leave();
    }
    if ((update.docChanged || update.selectionSet) && !isTouchDue) {
      isTouchDue = true;
      setTimeout(() => {
        isTouchDue = false;
        changeNote(session(), { touched: ++touched });
      }, touchDelay);
    }
  });
}

function tellChange(session: SessionState, { changes, transactions }: ViewUpdate): void {
  const { path, pins, runInView, joined } = session;
  pins.map(changes);
  runInView.writing.map(changes);
  joined?.questions.map(changes);
  joined?.link.edited();
  if (!transactions.some(isTyped)) return;
  tellUnsaved(path);
  if (useOpenNotes.getState().notes.get(path)?.settledIn === 'writing')
    changeNote(session, { problem: null, settledIn: null });
}

const isTyped = (change: Transaction) =>
  change.docChanged && change.annotation(Transaction.userEvent) !== undefined;

/** The core says so too, but only once it has heard of it: without a connection that may be late. */
function tellUnsaved(path: string): void {
  const notes = useOpenNotes.getState();
  if (notes.notes.get(path)?.save?.kind === 'saved') notes.change(path, { save: { kind: 'unsaved' } });
}
