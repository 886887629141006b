import { type EditorState, StateEffect, StateField } from '@codemirror/state';

interface Range {
  readonly from: number;
  readonly to: number;
}

/** The text that waits to be replaced by what a person is being asked for. */
export const holdRange = StateEffect.define<Range | null>({
  map: (range, changes) => range && { from: changes.mapPos(range.from, -1), to: changes.mapPos(range.to, 1) },
});

export const heldRange = StateField.define<Range | null>({
  create: () => null,
  update(range, transaction) {
    for (const effect of transaction.effects) if (effect.is(holdRange)) return effect.value;
    if (!range || !transaction.docChanged) return range;
    const { changes } = transaction;
    return { from: changes.mapPos(range.from, -1), to: changes.mapPos(range.to, 1) };
  },
});

/** The held text, else the selection. */
export function placeOf(state: EditorState): Range {
  return state.field(heldRange, false) ?? state.selection.main;
}
