import { type EditorState, StateEffect, StateField } from '@codemirror/state';
import { type Turn, turnAt } from '../../../../markdown';
import { conversationOf } from '../../editor/reading/conversation';

/** The answer that is compared with the one below it; null: none. */
export const compareAt = StateEffect.define<number | null>({
  map: (at, changes) => (at === null ? null : changes.mapPos(at, 1)),
});

export const compared = StateField.define<number | null>({
  create: () => null,
  update(at, transaction) {
    for (const effect of transaction.effects) if (effect.is(compareAt)) return effect.value;
    return at === null || !transaction.docChanged ? at : transaction.changes.mapPos(at, 1);
  },
});

/** How the second answer stands beside the first. */
export type Compared = 'writing' | 'none' | 'both';

/** The two answers as they stand in the note now; the second one may not have begun. */
export function comparedTurns(state: EditorState): { first: Turn; second: Turn | null } | null {
  const at = state.field(compared, false) ?? null;
  if (at === null) return null;
  const conversation = conversationOf(state);
  const first = turnAt(conversation, at);
  if (first?.role !== 'assistant') return null;
  const next = conversation.turns.find((turn) => turn.from > first.from);
  return { first, second: next?.role === 'assistant' ? next : null };
}
