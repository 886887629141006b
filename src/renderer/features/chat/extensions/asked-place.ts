import { type EditorState, type Extension, StateField } from '@codemirror/state';
import type { Conversation, Turn } from '../../../../markdown';
import { conversationOf } from './conversation';
import { speakerAt } from './speaker';

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
