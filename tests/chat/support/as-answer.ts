import type { AnswerRun, NoteRun } from '../../../src/contract/chat';

/** No hook was stopped before it. */
export function asAnswer(run: NoteRun): AnswerRun {
  if (run.kind !== 'answer') throw new Error(`Only the hook “${run.hook}” ran.`);
  return run;
}
