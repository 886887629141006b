import type { ChangeSet } from '@codemirror/state';

export interface Place {
  readonly from: number;
  readonly to: number;
}

/** Where others than this hand have put something by these changes that is still there afterwards; in order, apart from each other. */
export function insertedByOthers(
  applied: readonly { readonly clientId: string; readonly changes: ChangeSet }[],
  hand: string,
): readonly Place[] {
  let places: Place[] = [];
  for (const { clientId, changes } of applied) {
    places = places.map(({ from, to }) => ({ from: changes.mapPos(from, 1), to: changes.mapPos(to, -1) }));
    if (clientId === hand) continue;
    changes.iterChanges((_fromA, _toA, from, to) => void places.push({ from, to }));
  }
  return joined(places);
}

/** In order; those that touch are one. */
export function joined(places: readonly Place[]): readonly Place[] {
  const all: Place[] = [];
  for (const place of places.filter(({ from, to }) => from < to).toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last && place.from <= last.to)
      all[all.length - 1] = { from: last.from, to: Math.max(last.to, place.to) };
    else all.push(place);
  }
  return all;
}
