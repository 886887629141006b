/** Whoever reads it sees it at once; what the file lacks at the end is in the log. */
export function ignoreWait(writing: Promise<unknown>): void {
  writing.catch(() => undefined);
}

/** What is in a row as JSON; null: nothing that can be read. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
