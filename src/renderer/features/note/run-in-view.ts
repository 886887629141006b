import type { EditorView } from '@codemirror/view';
import type { NoteRun } from '../../../contract/chat';
import { isLive } from '../../base/text/run-words';
import { setContext } from '../editor/context/note-context';
import { awaitedIn, setAwaited, setWriting } from '../editor/turns/writing';
import { createAnswerWait } from './answer-wait';
import type { Arrival } from './sync/writing-place';
import { createWritingInView } from './writing-in-view';

interface Next {
  begin(): void;
  /** Also where it does not come to it. */
  drop(): void;
}

export type RunInView = ReturnType<typeof createRunInView>;

/** What goes on in the note, as its editor shows it: where it is written, and when whoever waited for it goes on. */
export function createRunInView(view: EditorView, parent: HTMLElement) {
  let run: NoteRun | null = null;
  const writing = createWritingInView(view, parent);
  const wait = createAnswerWait(view);
  let next: Next | null = null;

  const beginNext = (work: Next | null) => {
    next = null;
    work?.begin();
    work?.drop();
  };

  const goOn = (at: number) => {
    const isFinished = run?.kind === 'answer' && run.phase.kind === 'finished';
    wait.goOn(at, { isFollowed: writing.isFollowed(), isFinished });
  };

  return {
    writing,
    wait,
    liveId: () => (isLive(run) ? run.runId : null),
    /** What comes as soon as this run has ended, in the place of what was to come then. */
    next(work: Next | null): void {
      next?.drop();
      next = work;
    },
    hasNext: () => next !== null,
    arrived(arrivals: readonly Arrival[]): void {
      const arrival = arrivals.find(({ clientId }) => clientId === run?.runId);
      if (!arrival) return;
      if (isLive(run)) writing.show(arrival.at);
      // Its last words may come after the news of its end.
      else if (wait.isWaiting()) goOn(arrival.at);
    },
    show(latest: NoteRun | null): void {
      const writtenTo = writing.at();
      if (!isLive(latest)) writing.end();
      const ended = isLive(run) && latest?.runId === run.runId && !isLive(latest) ? run.runId : null;
      run = latest;
      view.dispatch({
        effects: [
          setContext.of({ run: latest }),
          // Also where it is gone with its app.
          ...(isLive(latest) ? [] : [setWriting.of(null)]),
          // An editor that has just been opened has not seen yet where it is written.
          ...(isLive(latest) && writing.at() === null && !awaitedIn(view.state)
            ? [setAwaited.of({ at: null })]
            : []),
          ...(ended === null ? [] : [setAwaited.of(null)]),
        ],
      });
      if (ended !== null && wait.isWaiting() && writtenTo !== null) goOn(writtenTo);
      if (!isLive(latest)) beginNext(next);
    },
  };
}
