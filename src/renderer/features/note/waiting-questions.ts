import type { ChangeDesc } from '@codemirror/state';
import type { NoteLink } from './sync/connect-note';

/** An offset in the note, at a version of its session. */
interface Place {
  readonly at: number;
  readonly version: number;
}

interface Question {
  at: number;
  readonly signal: AbortSignal;
  readonly place: PromiseWithResolvers<Place>;
  /** Ends its waiting in an editor that is closed. */
  readonly taken: AbortController;
}

export interface WaitingQuestions {
  /** Resolves once the core has all that was typed; rejects with the reason of `signal`. */
  placed(at: number, signal: AbortSignal): Promise<Place>;
  map(changes: ChangeDesc): void;
  isEmpty(): boolean;
  /** The editor is closed: they go on waiting, in the next editor of the note where there is one. */
  leave(): void;
}

interface Left {
  readonly note: () => string;
  take(): readonly Question[];
}

/** Of editors that are closed. */
const closedEditors = new Set<Left>();

/**
 * What was asked in a note and waits for its text to reach the core. `note` names the note: the same for two editors of one.
 * To be made once the editor shows what a former one has left.
 */
export function createWaitingQuestions(
  link: Pick<NoteLink, 'flushed'>,
  note: () => string,
): WaitingQuestions {
  const questions = new Set<Question>();
  const own: Left = {
    note,
    take() {
      closedEditors.delete(own);
      const all = [...questions];
      for (const { taken } of all) taken.abort();
      return all;
    },
  };

  function wait(question: Question): void {
    questions.add(question);
    const { signal, place, taken } = question;
    const settle = (tell: () => void) => {
      questions.delete(question);
      if (questions.size === 0) closedEditors.delete(own);
      if (!taken.signal.aborted) tell();
    };
    link.flushed(AbortSignal.any([signal, taken.signal])).then(
      (version) => settle(() => place.resolve({ at: question.at, version })),
      (error) => settle(() => place.reject(error)),
    );
  }

  for (const former of [...closedEditors])
    if (former.note() === note())
      for (const question of former.take()) wait({ ...question, taken: new AbortController() });

  return {
    placed(at, signal) {
      const place = Promise.withResolvers<Place>();
      wait({ at, signal, place, taken: new AbortController() });
      return place.promise;
    },
    map(changes) {
      for (const question of questions) question.at = changes.mapPos(question.at, 1);
    },
    isEmpty: () => questions.size === 0,
    leave() {
      if (questions.size > 0) closedEditors.add(own);
    },
  };
}
