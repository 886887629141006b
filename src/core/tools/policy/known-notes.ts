/** Which note stands where: what is allowed in one is that note’s, not its name’s. */
export interface KnownNotes {
  /** Null: nothing was ever said of the note that stands there. */
  at(path: string): string | null;
  /** Null: nothing is there. */
  name(path: string): string | null;
  onMoved(listener: (note: string, path: string) => void): void;
  onOver(listener: (note: string) => void): void;
}
