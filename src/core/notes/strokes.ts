import { type ChangeDesc, ChangeSet, type Text } from '@codemirror/state';

interface Stroke {
  readonly clientId: string;
  readonly changes: ChangeDesc;
  /** Leads back; holds only what was deleted. */
  readonly inverse: ChangeSet;
}

/** Who wrote what, for taking it back: what one hand did in a row is one stroke. */
export interface Strokes {
  add(clientId: string, changes: ChangeSet, before: Text): void;
  /** Undoes all that one hand did, where others have not written over it since; null if nothing is left of it. */
  takeBack(clientId: string, doc: Text): ChangeSet | null;
}

const mostStrokes = 10_000;
/** Joining costs time with every place that a stroke touches. */
const mostPlaces = 64;

function places(changes: ChangeDesc): number {
  let count = 0;
  changes.iterChangedRanges(() => {
    count++;
  });
  return count;
}

export function createStrokes(): Strokes {
  let strokes: Stroke[] = [];

  return {
    add(clientId, changes, before) {
      const inverse = changes.invert(before);
      const last = strokes.at(-1);
      if (last?.clientId === clientId && places(last.changes) < mostPlaces) {
        strokes[strokes.length - 1] = {
          clientId,
          changes: last.changes.composeDesc(changes.desc),
          inverse: inverse.compose(last.inverse),
        };
        return;
      }
      strokes.push({ clientId, changes: changes.desc, inverse });
      if (strokes.length > mostStrokes + 1_000) strokes = strokes.slice(-mostStrokes);
    },
    takeBack(clientId, doc) {
      // Leads from the text after the stroke that is looked at to the text as it will be, so far.
      let since: ChangeDesc = ChangeSet.empty(doc.length).desc;
      let result = ChangeSet.empty(doc.length);
      for (const stroke of strokes.toReversed()) {
        if (stroke.clientId === clientId) {
          const undo = stroke.inverse.map(since);
          since = since.mapDesc(stroke.inverse, true);
          result = result.compose(undo);
        } else since = stroke.changes.composeDesc(since);
      }
      return result.empty ? null : result;
    },
  };
}
