/**
 * Milliseconds to wait before attempt `attempt` (1 is the first retry): doubling from `first`, at most `most`,
 * with up to 25 % of jitter either way. `random` is in [0, 1).
 */
export function backoff(
  attempt: number,
  { first, most }: { first: number; most: number },
  random: number,
): number {
  const base = Math.min(most, first * 2 ** Math.max(0, attempt - 1));
  return Math.min(most, Math.round(base * (0.75 + random * 0.5)));
}
