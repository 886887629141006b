import { Transaction } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { endOfQuestion, endsNote } from '../editor/turns/asked-place';
import { setAwaited } from '../editor/turns/writing';
import type { Awaiting } from './note-actions';
import type { Pins } from './pins';

const quietly = Transaction.addToHistory.of(false);

export interface AnswerRoom {
  takeBack(isOnItsWay: boolean): void;
}

/**
 * Two hands that write at the same place at once come to stand one behind the other, the core's first: a line break between
 * the end of the question and the place of its answer keeps what is typed on in the question. Null: none is needed.
 */
export function giveRoom(view: EditorView, pins: Pins, at: number, closing: AbortSignal): AnswerRoom | null {
  if (view.state.readOnly || !endsNote(view.state, at)) return null;
  const end = view.state.doc.length;
  view.dispatch({ changes: { from: end, insert: '\n' }, annotations: quietly });
  const pin = pins.put(end);
  return {
    takeBack(isOnItsWay) {
      pin.remove();
      const { length } = view.state.doc;
      if (isOnItsWay || closing.aborted || view.state.sliceDoc(pin.at) !== '\n') return;
      view.dispatch({ changes: { from: pin.at, to: length }, annotations: quietly });
    },
  };
}

/** Shows that the question at `at` waits for its answer. */
export function awaitAnswer(
  view: EditorView,
  at: number,
  room: AnswerRoom | null,
  closing: AbortSignal,
): Awaiting {
  view.dispatch({ effects: setAwaited.of({ at: endOfQuestion(view.state, at) }) });
  return {
    hasRoom: room !== null,
    settle(isOnItsWay) {
      room?.takeBack(isOnItsWay);
      if (!isOnItsWay && !closing.aborted) view.dispatch({ effects: setAwaited.of(null) });
    },
  };
}
