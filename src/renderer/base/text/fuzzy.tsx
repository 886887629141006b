import fuzzysort, { type Result } from 'fuzzysort';
import type { ReactNode } from 'react';

export interface Found<T> {
  readonly item: T;
  readonly text: string;
  /** Null where everything is shown for an empty query. */
  readonly match: Result | null;
}

/** The best hundred, in the order given where nothing is asked for. */
export function search<T>(query: string, items: readonly T[], textOf: (item: T) => string): Found<T>[] {
  const limit = 100;
  if (query.trim() === '') {
    return items.slice(0, limit).map((item) => ({ item, text: textOf(item), match: null }));
  }
  return fuzzysort
    .go(query.trim(), items, { key: textOf, limit, threshold: 0.4 })
    .map((match) => ({ item: match.obj, text: match.target, match }));
}

export function highlighted<T>({ text, match }: Found<T>): ReactNode {
  return match ? match.highlight((part, at) => <mark key={at}>{part}</mark>) : text;
}
