/** Milliseconds that content of before a save may be under way. */
const longestLate = 2_000;

/** Versions of before our saves, and when; later than `longestLate` somebody has put that version back. */
export function createOutdatedVersions() {
  const savedAt = new Map<string, number>();
  return {
    saved(before: string, after: string, now: number): void {
      savedAt.set(before, now);
      savedAt.delete(after);
    },
    /** For how long the content of this version may still be one of before a save; not above 0: it is not. */
    outdatedFor: (version: string, now: number): number => (savedAt.get(version) ?? 0) + longestLate - now,
    clear: (): void => savedAt.clear(),
  };
}
