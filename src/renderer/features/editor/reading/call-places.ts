import { StateEffect, StateField } from '@codemirror/state';
import { blockBeginAfter } from './blocks';

/** The card of a call that is made once more from here; `callId`: null until the core has said it. */
interface CallPlace {
  readonly at: number;
  readonly press: object;
  readonly callId: string | null;
}

export const callBegun = StateEffect.define<Pick<CallPlace, 'at' | 'press'>>({
  map: (begun, changes) => ({ ...begun, at: changes.mapPos(begun.at, 1) }),
});
export const callNamed = StateEffect.define<Pick<CallPlace, 'press' | 'callId'>>();

/** Which of the calls under way belongs to which card, where the note's text does not say that one is. */
export const callPlaces = StateField.define<readonly CallPlace[]>({
  create: () => [],
  update(before, transaction) {
    let places = before;
    if (transaction.docChanged)
      places = places.map((place) => ({ ...place, at: blockBeginAfter(place.at, transaction) }));
    for (const effect of transaction.effects) {
      if (effect.is(callBegun)) {
        const begun = { ...effect.value, callId: null };
        places = [...places.filter(({ at }) => at !== begun.at), begun];
      }
      if (effect.is(callNamed)) {
        const { press, callId } = effect.value;
        places = places.map((place) => (place.press === press ? { ...place, callId } : place));
      }
    }
    return places;
  },
});
