import { StateEffect } from '@codemirror/state';

/** `open` shows the card's inside, `source` the text itself for as long as the cursor is in it. */
export type FoldMode = 'closed' | 'open' | 'source';

export const setFold = StateEffect.define<{ at: number; mode: FoldMode }>({
  map: ({ at, mode }, changes) => ({ at: changes.mapPos(at, 1), mode }),
});
