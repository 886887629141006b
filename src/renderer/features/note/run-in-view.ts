import type { EditorView } from '@codemirror/view';
import type { NoteRun } from '../../../contract/chat';
import { isLive } from '../../base/text/run-words';
import { setContext } from '../editor/context/note-context';
import { awaitedIn, setAwaited, setWriting } from '../editor/turns/writing';
import { createAnswerWait } from './answer-wait';
import type { Arrival } from './sync/writing-place';
import { createWritingInView } from './writing-in-view';

export type RunInView = ReturnType<typeof createRunInView>;

/** What goes on in the note, as its editor shows it: where it is written, and when whoever waited for it goes on. */
export function createRunInView(view: EditorView, parent: HTMLElement) {
  let run: NoteRun | null = null;
  const writing = createWritingInView(view, parent);
  const wait = createAnswerWait(view);

  const goOn = (at: number) => {
    const isFinished = run?.kind === 'answer' && run.phase.kind === 'finished';
    wait.goOn(at, { isFollowed: writing.isFollowed(), isFinished });
  };

  return {
    writing,
    wait,
    liveId: () => (isLive(run) ? run.runId : null),
    arrived(arrivals: readonly Arrival[]): void {
      const arrival = arrivals.find(({ clientId }) => clientId === run?.runId);
      if (!arrival) return;
      if (isLive(run)) writing.show(arrival.at);
      // Its last words may come after the news of its end.
      else if (wait.isWaiting()) goOn(arrival.at);
    },
    show(next: NoteRun | null): void {
      const writtenTo = writing.at();
      if (!isLive(next)) writing.end();
      const ended = isLive(run) && next?.runId === run.runId && !isLive(next) ? run.runId : null;
      run = next;
      view.dispatch({
        effects: [
          setContext.of({ run: next }),
          // Also where it is gone with its app.
          ...(isLive(next) ? [] : [setWriting.of(null)]),
          // An editor that has just been opened has not seen yet where it is written.
          ...(isLive(next) && writing.at() === null && !awaitedIn(view.state)
            ? [setAwaited.of({ at: null })]
            : []),
          ...(ended === null ? [] : [setAwaited.of(null)]),
        ],
      });
      if (ended !== null && wait.isWaiting() && writtenTo !== null) goOn(writtenTo);
    },
  };
}
