import { EditorView } from '@codemirror/view';
import { blankTurnFrom } from '../editor/reading/role-tag';
import { isShown } from '../editor/turns/writing';

/** Whoever asked and left the cursor where it was goes on behind the answer. */
export interface AnswerWait {
  isWaiting(): boolean;
  waitAt(place: number, scrollIntoView: boolean): void;
  /** The cursor was put elsewhere. */
  leave(): void;
  /** To where the next question is, behind the answer that was written at `at`. */
  goOn(at: number, answer: { readonly isFollowed: boolean; readonly isFinished: boolean }): void;
}

export function createAnswerWait(view: EditorView): AnswerWait {
  let waits = false;
  return {
    isWaiting: () => waits,
    waitAt(place, scrollIntoView) {
      if (place !== view.state.selection.main.head)
        view.dispatch({ selection: { anchor: place }, scrollIntoView });
      waits = true;
    },
    leave() {
      waits = false;
    },
    goOn(at, { isFollowed, isFinished }) {
      const last = view.state.doc.lineAt(Math.min(at, view.state.doc.length));
      const next = blankTurnFrom(view.state, last.number);
      // What went wrong is not left below the edge for whoever still sees the question.
      const isMissed = (next === null || !isFinished) && isShown(view, view.state.selection.main.head);
      const scroll =
        isFollowed || isMissed
          ? EditorView.scrollIntoView((next ?? last).to, { y: 'nearest', yMargin: 96 })
          : null;
      if (next) waits = false;
      view.dispatch({
        ...(next && { selection: { anchor: next.to } }),
        effects: scroll ? [scroll] : [],
      });
    },
  };
}
