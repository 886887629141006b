const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 };

/**
 * The row that a key goes to from the one at `at` (-1: from before the first) in a list of `count` rows; null for any other key,
 * and where there is no row. `wraps`: the arrows go on from one end at the other. `isInText`: Home and End belong to the text box.
 */
export function rowAfterKey(
  key: string,
  at: number,
  count: number,
  { wraps = false, isInText = false } = {},
): number | null {
  if (count === 0) return null;
  const last = count - 1;
  if (key === 'Home' || key === 'End') return isInText ? null : key === 'Home' ? 0 : last;
  const step = steps[key];
  if (step === undefined) return null;
  if (wraps && Math.abs(step) === 1) return (Math.max(at, step === 1 ? -1 : 0) + step + count) % count;
  return Math.max(0, Math.min(last, at + step));
}
