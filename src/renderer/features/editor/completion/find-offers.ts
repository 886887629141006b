import fuzzysort from 'fuzzysort';

export interface Match<T> {
  readonly item: T;
  /** Where the label has the letters that were typed: pairs of from and to. */
  readonly letters: readonly number[];
}

/** The best by label, then those whose description has the words; all in their order where nothing is asked for. */
export function findOffers<T>(
  query: string,
  items: readonly T[],
  of: { label(item: T): string; description?(item: T): string },
  most: number,
): Match<T>[] {
  const words = query.trim();
  if (words === '') return items.slice(0, most).map((item) => ({ item, letters: [] }));
  const named = fuzzysort.go(words, items, { key: of.label, limit: most, threshold: 0.4 });
  const matches = named.map((result) => ({ item: result.obj, letters: pairs([...result.indexes]) }));
  if (matches.length >= most || !of.description || words.length < 3) return matches;
  const matchedItems = new Set(matches.map(({ item }) => item));
  const byDescription = items.filter(
    (item) => !matchedItems.has(item) && of.description?.(item).toLowerCase().includes(words.toLowerCase()),
  );
  return [
    ...matches,
    ...byDescription.slice(0, most - matches.length).map((item) => ({ item, letters: [] })),
  ];
}

function pairs(indexes: readonly number[]): number[] {
  const places: number[] = [];
  for (const at of indexes.toSorted((a, b) => a - b)) {
    if (places.at(-1) === at) places[places.length - 1] = at + 1;
    else places.push(at, at + 1);
  }
  return places;
}
