import { StateEffect, StateField } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';

/** The person wants the failed answer there to be tried again as soon as it may be. */
export const waitFor = StateEffect.define<{ readonly at: number; readonly on: boolean }>({
  map: ({ at, on }, changes) => ({ at: changes.mapPos(at, 1), on }),
});

export const waiting = StateField.define<readonly number[]>({
  create: () => [],
  update(places, transaction) {
    let next = places;
    if (transaction.docChanged && next.length > 0) next = next.map((at) => transaction.changes.mapPos(at, 1));
    for (const effect of transaction.effects) {
      if (!effect.is(waitFor)) continue;
      const { at, on } = effect.value;
      next = [...next.filter((place) => place !== at), ...(on ? [at] : [])];
    }
    return next;
  },
});

export function toggleRetryLater(view: EditorView, at: number): void {
  view.dispatch({ effects: waitFor.of({ at, on: !view.state.field(waiting).includes(at) }) });
}
