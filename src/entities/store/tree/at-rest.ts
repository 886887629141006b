/**
 * A program that saves in place empties the file first and writes it then: a file that was touched that lately may hold
 * less than is meant, and is looked at again before anything is built on it. Milliseconds, with those that the clock of a file system lags behind.
 */
export const rest = { text: 50, empty: 2_000 };

export interface Look {
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
  readonly ino: number;
}

/** How long a file has to be left alone until what it holds is taken for what was meant: never longer than `needed`. */
export function untilRest({ modified }: Pick<Look, 'modified'>, needed: number): number {
  // A file system tells parts of a millisecond, the clock whole ones: what was just changed is not of the future.
  const since = Date.now() - Math.floor(modified);
  // A clock may have been set.
  if (since < -rest.empty) return 0;
  return Math.min(Math.max(needed - since, 0), needed);
}

/** The same for one that holds less than it is known to have held; 0 for all others. What is renamed into its place is whole. */
export function untilWhole(look: Look, before: Look | undefined): number {
  const isSame = before?.ino === look.ino;
  if (look.size === 0) return untilRest(look, isSame && before.size > 0 ? rest.empty : rest.text);
  return isSame && look.size < before.size ? untilRest(look, rest.text) : 0;
}
