/** Milliseconds, of every question that has no limit of its own. */
export const limits = {
  longestCallMs: 60 * 60_000,
  requestMs: 30_000,
  countMs: 15_000,
};
