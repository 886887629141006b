import type { AnswerRun } from '../../../contract/chat';
import type { NoteSession } from '../../notes';
import type { NoteReading } from '../note/note-reading';
import type { RunRequest } from '../note/run-request';
import type { Runs } from '../note/runs';
import type { GivenPrompts } from '../question/given-prompts';
import type { AskParts, Question } from '../question/question';
import type { createReadsOfNotes } from '../question/reads';
import type { ResourceShelf } from '../question/resources';
import type { CallParts } from '../tool-blocks/calls';
import type { BegunAnswers } from './begun-answers';

export interface RunParts extends AskParts, CallParts {
  readonly runs: Runs;
  readonly begunAnswers: BegunAnswers;
  readonly reading: NoteReading;
  readonly shelf: ResourceShelf;
  readonly givenPrompts: GivenPrompts;
  readonly readsOfNotes: ReturnType<typeof createReadsOfNotes>;
}

/** What is to be answered, and where. */
export interface AnswerRequest {
  readonly runId: string;
  readonly request: RunRequest;
  readonly session: NoteSession;
  readonly question: Question;
  /** Where the answer goes in the session's present text. */
  readonly from: number;
  readonly to: number;
  /** Where the answer begins by now that this one takes the place of. */
  readonly oldFrom: number | null;
  readonly stop: AbortController;
}

/** An answer as it is written: what of it is shown. */
export interface AnswerInNote extends AnswerRequest {
  run(): AnswerRun;
  show(change: (now: AnswerRun) => AnswerRun): void;
}

export function showAnswer(request: AnswerRequest, { clock, runs }: RunParts): AnswerInNote {
  const { session } = request;
  let run = firstState(request, clock.now());
  const answer: AnswerInNote = {
    ...request,
    run: () => run,
    show(change) {
      run = { ...change(run), path: session.path };
      runs.show(run);
    },
  };
  answer.show((now) => now);
  return answer;
}

function firstState({ runId, request, question }: AnswerRequest, now: number): AnswerRun {
  const { provider } = question.answerer;
  return {
    kind: 'answer',
    runId,
    path: request.path,
    provider: provider.label,
    model: provider.model,
    tag: question.answerer.tag,
    phase: { kind: 'preparing' },
    round: 0,
    startedAt: now,
    finishedAt: null,
    characters: 0,
    usage: null,
    cost: null,
    calls: [],
  };
}
