import type { EditorState, Text } from '@codemirror/state';
import { type Conversation, parseConversation, type TagNames, type Turn, turnAt } from '../../../../markdown';
import { noteContext } from '../context/note-context';

interface Entry {
  readonly tags: TagNames;
  readonly servers: readonly string[];
  readonly conversation: Conversation;
}

const cache = new WeakMap<Text, Entry>();

/** The whole note read as turns: for what a person does now and then, never for drawing. */
export function conversationOf(state: EditorState): Conversation {
  const { tags, servers } = state.field(noteContext);
  const entry = cache.get(state.doc);
  if (entry?.tags === tags && entry.servers === servers) return entry.conversation;
  const conversation = parseConversation(state.doc.toString(), tags, servers);
  cache.set(state.doc, { tags, servers, conversation });
  return conversation;
}

/** The answer at a place, else the last one above it. */
export function answerNear(state: EditorState, at: number): Turn | null {
  const conversation = conversationOf(state);
  const here = turnAt(conversation, at);
  if (here?.role === 'assistant') return here;
  return conversation.turns.findLast((turn) => turn.role === 'assistant' && turn.from <= at) ?? null;
}
