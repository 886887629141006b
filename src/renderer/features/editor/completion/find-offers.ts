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
  const wanted = query.trim();
  if (wanted === '') return items.slice(0, most).map((item) => ({ item, letters: [] }));
  const named = fuzzysort.go(wanted, items, { key: of.label, limit: most, threshold: 0.4 });
  const found = named.map((result) => ({ item: result.obj, letters: pairs([...result.indexes]) }));
  if (found.length >= most || !of.description || wanted.length < 3) return found;
  const taken = new Set(found.map(({ item }) => item));
  const told = items.filter(
    (item) => !taken.has(item) && of.description?.(item).toLowerCase().includes(wanted.toLowerCase()),
  );
  return [...found, ...told.slice(0, most - found.length).map((item) => ({ item, letters: [] }))];
}

function pairs(indexes: readonly number[]): number[] {
  const found: number[] = [];
  for (const at of indexes.toSorted((a, b) => a - b)) {
    if (found.at(-1) === at) found[found.length - 1] = at + 1;
    else found.push(at, at + 1);
  }
  return found;
}
