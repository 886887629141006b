/** Which file stands for another one by now: each save here makes a new file in the place of the old one. */
export interface Successors {
  add(replaced: string, file: string): void;
  /** The file itself, then those that took its place, in order. */
  from(file: string): Iterable<string>;
  clear(): void;
}

const mostKnown = 5_000;

export function createSuccessors(): Successors {
  const next = new Map<string, string>();
  return {
    add(replaced, file) {
      if (replaced === file) return;
      next.delete(replaced);
      next.set(replaced, file);
      for (const oldest of next.keys()) if (next.size > mostKnown) next.delete(oldest);
    },
    *from(file) {
      const visited = new Set<string>();
      for (let one: string | undefined = file; one !== undefined && !visited.has(one); one = next.get(one)) {
        visited.add(one);
        yield one;
      }
    },
    clear: () => next.clear(),
  };
}
