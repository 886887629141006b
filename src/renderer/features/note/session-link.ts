import { type Compartment, EditorState } from '@codemirror/state';
import { setContext } from '../editor/context/note-context';
import { useNoteForm } from '../editor/context/note-form';
import { useOpenNotes } from '../editor/context/open-notes';
import { disturbsComposition } from '../editor/turns/composition';
import { placeFollows, returnToPlace } from './kept-places';
import { renameNoteView } from './note-view';
import { changeNote, endWaiting, type JoinedNote, type SessionState } from './session-state';
import { joinNote } from './sync/join-note';
import { createWaitingQuestions } from './waiting-questions';

export interface SessionLinkParts {
  /** Holds whether the editor takes keys. */
  readonly lock: Compartment;
  renamed(from: string, to: string): void;
}

/** Joins the editor with the core's session of the note. */
export function joinSession(session: SessionState, { lock, renamed }: SessionLinkParts): JoinedNote {
  const { core, vault, path, view, runInView, closing } = session;
  const link = joinNote(vault, {
    core,
    path,
    isHeld: (changes) => disturbsComposition(view, changes),
    isAsking: () => session.joined?.questions.isEmpty() === false,
    editor: {
      get state() {
        return view.state;
      },
      dispatch: (...specs) => {
        const transaction = view.state.update(...specs);
        view.dispatch(transaction);
        // A view that is closed tells nobody, and may still be waited for.
        if (closing.signal.aborted) session.joined?.questions.map(transaction.changes);
      },
    },
    onReady: (readOnly) => {
      view.dispatch({ effects: lock.reconfigure(readOnly ? EditorState.readOnly.of(true) : []) });
      if (!session.isShown) returnToPlace(session.path, view);
      session.isShown = true;
      changeNote(session, { ready: true, readOnly });
      endWaiting(session);
    },
    onSave: (save) => changeNote(session, { save }),
    onConflict: (conflict) => changeNote(session, { conflict }),
    onRenamed: (to, byOthers) => {
      const from = session.path;
      moveSession(session, to);
      renamed(from, to);
      changeNote(session, { movedBy: byOthers ? 'others' : null });
    },
    onProblem: (problem) => changeNote(session, { problem, settledIn: null }),
    onArrival: runInView.arrived,
  });
  const questions = createWaitingQuestions(link, () => `${vault}\n${session.path}`);
  session.joined = { link, questions };
  return session.joined;
}

/** The same note at another path; all else stays as it is. */
export function moveSession(session: SessionState, to: string): void {
  const { path, view, joined } = session;
  if (to === path) return;
  placeFollows(path, to);
  useOpenNotes.getState().moved(path, to);
  useNoteForm.getState().moved(path, to);
  session.path = to;
  joined?.link.moved(to);
  view.dispatch({ effects: [setContext.of({ path: to }), renameNoteView(to)] });
}
