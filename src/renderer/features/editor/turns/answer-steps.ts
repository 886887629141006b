import { isolateHistory } from '@codemirror/commands';
import type { ChangeSpec, EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { sentText, type Turn } from '../../../../markdown';
import { isLive } from '../../../base/text/run-words';
import type { PlainKey } from '../../../base/text/text';
import { noteContext } from '../context/note-context';
import type { IconName } from '../drawing/icons';
import { answerNear, conversationOf } from '../reading/conversation';

export type AnswerStepId = 'copy' | 'again' | 'other' | 'compare' | 'branch' | 'before' | 'discard';

/** What a person can do with an answer. */
export interface AnswerStep {
  readonly id: AnswerStepId;
  readonly words: PlainKey;
  readonly icon: IconName;
  /** Whether it changes the note. */
  readonly writes: boolean;
  /** Only for answers whose tools changed notes, where something of it can be taken back. */
  readonly restores?: boolean;
  act(view: EditorView, answer: Turn): void;
}

export const answerSteps: readonly AnswerStep[] = [
  {
    id: 'copy',
    words: 'reply.copy',
    icon: 'copy',
    writes: false,
    act: (view, answer) => actionsOf(view).copy(sentText(view.state.doc.toString(), answer)),
  },
  {
    id: 'again',
    words: 'reply.again',
    icon: 'rerun',
    writes: true,
    act: (view, answer) => actionsOf(view).askAgain(view, answer.from, { replace: true }),
  },
  {
    id: 'other',
    words: 'reply.other',
    icon: 'swap',
    writes: true,
    act: (view, { from, tag }) =>
      actionsOf(view).ask(view, { kind: 'choose-answerer', tag, how: 'replace' }, { from, to: from }),
  },
  {
    id: 'compare',
    words: 'reply.compare',
    icon: 'columns',
    writes: true,
    act: (view, { from, tag }) =>
      actionsOf(view).ask(view, { kind: 'choose-answerer', tag, how: 'beside' }, { from, to: from }),
  },
  {
    id: 'branch',
    words: 'reply.branch',
    icon: 'branch',
    writes: false,
    act: (view, answer) => actionsOf(view).branch(textUpTo(view.state, answer)),
  },
  {
    id: 'before',
    words: 'reply.before',
    icon: 'history',
    writes: false,
    restores: true,
    act: (view, answer) => actionsOf(view).restoreBefore(callTimes(view.state, answer)),
  },
  {
    id: 'discard',
    words: 'reply.discard',
    icon: 'trash',
    writes: true,
    act: (view, answer) => {
      const changes = withoutAnswer(view.state, answer);
      view.dispatch({ changes, annotations: isolateHistory.of('full'), userEvent: 'delete.answer' });
      view.focus();
    },
  },
];

const actionsOf = (view: EditorView) => view.state.field(noteContext).actions;

/** As the step is meant for the answer that stands there now. */
export function takeStep(view: EditorView, step: AnswerStep, at: number): void {
  const answer = answerNear(view.state, at);
  const { run } = view.state.field(noteContext);
  if (answer && !(step.writes && (isLive(run) || view.state.readOnly))) step.act(view, answer);
}

/** When the answer's tools were called, in milliseconds since 1970. */
export function callTimes(state: EditorState, { from, to }: Turn): number[] {
  return conversationOf(state).calls.flatMap((call) => {
    const at = call.from >= from && call.to <= to ? Date.parse(call.result.at ?? '') : Number.NaN;
    return Number.isNaN(at) ? [] : [at];
  });
}

/** Whether it is of these calls that something can be taken back. A call's time in the note is a whole second. */
export const canRestore = (state: EditorState, calls: readonly number[]): boolean =>
  state
    .field(noteContext)
    .restorable.some(({ startedAt, lastAt }) => calls.some((at) => startedAt <= at + 999 && at <= lastAt));

/** The conversation with the answer as its end, and an empty turn for what is said otherwise. */
export function textUpTo(state: EditorState, answer: Turn): string {
  const user = state.field(noteContext).tags.user[0] ?? 'User';
  return `${state.sliceDoc(0, answer.to).trimEnd()}\n\n#${user} : `;
}

/** The answer goes, and the empty turn that waits below it. */
export function withoutAnswer(state: EditorState, answer: Turn): ChangeSpec {
  const { turns, newChats } = conversationOf(state);
  const next = turns.find((turn) => turn.from > answer.from);
  const waits =
    next?.role === 'user' &&
    next.to === state.doc.length &&
    state.sliceDoc(next.contentFrom, next.to).trim() === '' &&
    !newChats.some((at) => at > answer.from && at <= next.from);
  return { from: answer.from, to: waits ? next.to : answer.to };
}
