import { type EditorState, type Extension, StateField } from '@codemirror/state';
import { type Conversation, findResourceLinks, type Turn, turnAt } from '../../../../markdown';
import { conversationOf } from '../reading/conversation';
import { speakerAt } from '../reading/speaker';
import { writingAt } from './writing';

/** The note was opened, and nobody has put the cursor anywhere yet: that it stands at the top means nothing. */
const untouched = StateField.define<boolean>({
  create: () => true,
  update: (value, { selection }) => value && selection === undefined,
});

export const cursorPlaced: Extension = untouched;

/**
 * The place that an answer is asked for: the cursor's where somebody speaks; where nobody does (front matter, prose above
 * the first turn, a new conversation that has none yet), and where nobody has put the cursor anywhere, that of the question
 * the note ends with. Null where none waits.
 */
export function askedPlace(state: EditorState): number | null {
  const { head } = state.selection.main;
  const speaker = speakerAt(state, head);
  if (state.field(untouched, false)) {
    const waiting = waitingTurn(conversationOf(state));
    if (waiting) return waiting.contentFrom;
  }
  if (speaker && speaker.role !== 'new-chat') return Math.max(head, speaker.textFrom);
  return waitingTurn(conversationOf(state))?.contentFrom ?? null;
}

/** Whether the cursor is in a question below the answer that is being written. */
export function isNextQuestion(state: EditorState): boolean {
  const [writing, turn] = [writingAt(state), turnAt(conversationOf(state), state.selection.main.head)];
  return writing !== null && turn?.role === 'user' && turn.from >= writing && saysSomething(turn);
}

/**
 * Where the cursor waits for the answer that is asked for at `at`: in the question, behind its last word at most. Behind that
 * the answer is written, and what is typed there would be the model's.
 */
export function placeToWait(state: EditorState, at: number): number {
  const conversation = conversationOf(state);
  const turn = turnAt(conversation, at);
  if (turn?.role === 'user') return saysSomething(turn) ? Math.min(at, endOfWords(state, turn)) : at;
  if (turn?.role !== 'assistant' || isAnswer(turn)) return at;
  return placeInQuestion(state, turn) ?? at;
}

/** The same for the answer at `at`, which is written once more: null where the cursor is not in it. */
export function placeToWaitAgain(state: EditorState, at: number): number | null {
  const turn = turnAt(conversationOf(state), at);
  const { head } = state.selection.main;
  return turn && turn.from <= head && head <= turn.to ? placeInQuestion(state, turn) : null;
}

/** The end of the words whose answer is asked for at `at`. */
export function endOfQuestion(state: EditorState, at: number): number {
  const turn = turnAt(conversationOf(state), at);
  if (turn?.role === 'user') return endOfWords(state, turn);
  return (turn && placeInQuestion(state, turn)) ?? at;
}

/** Whether the question at `at` ends with the note, so that nothing parts it from its answer yet. */
export function endsNote(state: EditorState, at: number): boolean {
  const turn = turnAt(conversationOf(state), at);
  return turn?.role === 'user' && saysSomething(turn) && endOfWords(state, turn) === state.doc.length;
}

function placeInQuestion(state: EditorState, answer: Turn): number | null {
  const question = conversationOf(state).turns.findLast(
    (turn) => turn.from < answer.from && turn.role === 'user',
  );
  return question && saysSomething(question) ? endOfWords(state, question) : null;
}

const endOfWords = (state: EditorState, { from, to }: Turn) =>
  from + state.sliceDoc(from, to).trimEnd().length;

/** Not the tag of one that waits, nor one that failed. */
function isAnswer({ parts }: Turn): boolean {
  const last = parts.at(-1);
  return last !== undefined && !(last.kind === 'callout' && last.type === 'failure');
}

/** Whether the question that is asked at a place may have files or resources go along; what of them is sent the core knows. */
export function mayHaveAttachments(state: EditorState, at: number): boolean {
  const may = (text: string) => text.includes('![') || findResourceLinks(text).length > 0;
  // Most notes have none, and need not be read as turns for it.
  if (!may(state.doc.toString())) return false;
  const question = conversationOf(state).turns.findLast(({ role, from }) => role === 'user' && from <= at);
  return question !== undefined && may(state.sliceDoc(question.from, question.to));
}

/** The last turn of the last conversation, where it is a question or the tag of an answer to one. */
function waitingTurn({ turns, newChats }: Conversation): Turn | null {
  const begin = newChats.at(-1) ?? -1;
  const last = turns.at(-1);
  const question = turns.findLast(({ role }) => role === 'user');
  if (!last || last.from < begin) return null;
  if (last.role === 'user') return saysSomething(last) ? last : null;
  const awaits = last.role === 'assistant' && last.parts.length === 0;
  return awaits && question && question.from > begin && saysSomething(question) ? last : null;
}

/** As in the core: a callout that is no call is never sent. */
function saysSomething({ parts }: Turn): boolean {
  return parts.some(({ kind }) => kind !== 'callout');
}
