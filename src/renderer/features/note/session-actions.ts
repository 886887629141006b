import { connection } from '../../base/core/connected';
import { tellUnasked } from '../../base/layout/unasked';
import { isCallLive } from '../../base/text/run-words';
import { noteContext } from '../editor/context/note-context';
import { type SettledIn, useOpenNotes } from '../editor/context/open-notes';
import { placeToWait, placeToWaitAgain } from '../editor/turns/asked-place';
import { awaitAnswer, giveRoom } from './answer-room';
import { createNoteActions } from './note-actions';
import { changeNote, type SessionState } from './session-state';
import type { WaitingQuestions } from './waiting-questions';

/** What a person can do in the note of this session. */
export function createSessionActions(session: SessionState, questions: WaitingQuestions) {
  const { core, view, runInView, pins, closing } = session;
  const { wait } = runInView;
  const notes = useOpenNotes.getState;
  return createNoteActions({
    core,
    get path() {
      return session.path;
    },
    // Also where the person goes to another note before the core has heard of it.
    placed: (at) => questions.placed(at, connection.lost),
    liveRun: runInView.liveId,
    openCalls: () => view.state.field(noteContext).loneCalls.filter(isCallLive),
    answerer: () => notes().answerers.get(session.path) ?? null,
    choose: (tag) => notes().setAnswerer(session.path, tag),
    onAsked(at) {
      const room = giveRoom(view, pins, at, closing.signal);
      const place = placeToWait(view.state, at);
      wait.waitAt(place, true);
      return awaitAnswer(view, place, room, closing.signal);
    },
    onAskedAgain(at) {
      const place = placeToWaitAgain(view.state, at);
      if (place !== null) wait.waitAt(place, false);
      return awaitAnswer(view, place ?? at, null, closing.signal);
    },
    onEnd(at, work) {
      const pin = pins.put(at);
      runInView.next({ begin: () => work(pin.at), drop: pin.remove });
    },
    stayEnded: () => runInView.next(null),
    onProblem: (problem, settledIn = null) => tellProblem(session, problem, settledIn),
  });
}

function tellProblem(session: SessionState, problem: string | null, settledIn: SettledIn | null): void {
  const { vault, path, closing } = session;
  if (!closing.signal.aborted) changeNote(session, { problem, settledIn });
  else if (problem !== null) tellUnasked({ vault, path, why: problem });
}
