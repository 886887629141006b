import { rest, untilRest, untilWhole } from './at-rest';
import type { VaultFile } from './vault-file';

/** Files that may hold less than is meant, as somebody may be saving them in place: they are looked at again. */
export interface Unrested {
  /** Whether a file is as it seems now; else it is to be looked at again. `before`: as it was known. */
  isBelieved(file: VaultFile, before: VaultFile | undefined): boolean;
  lookAgain(path: string): void;
  looked(path: string): void;
  /** In the same tick as it was written here: it is whole. */
  isWhole(path: string): void;
  forget(path: string): void;
  paths(): readonly string[];
  /** When these may be at rest, from `since` on, and none later than the file may be waited for. Milliseconds since 1970. */
  times(since: number, latest: (path: string) => number): readonly number[];
}

/** `isFirst`: nothing is known yet of what the files were. */
export function createUnrested({ isFirst }: { isFirst: () => boolean }): Unrested {
  /** When it was changed, and from when on it is believed. Milliseconds since 1970. */
  const unrested = new Map<string, { readonly modified: number; readonly due: number }>();
  /** What was still being written when the vault was first read: shown as it was then, until it is at rest. */
  const met = new Set<string>();

  return {
    isBelieved: (file, before) => {
      const { path } = file;
      const modified = Math.floor(file.modified);
      // Nobody can tell yet whether it was ever more.
      if (isFirst() && file.size === 0) met.add(path);
      const wait = Math.max(untilWhole(file, before), met.has(path) ? untilRest(file, needed(file)) : 0);
      if (wait > 0) {
        unrested.set(path, { modified, due: Date.now() + wait });
        return false;
      }
      unrested.delete(path);
      met.delete(path);
      if (isFirst() && untilRest(file, rest.text) > 0) {
        met.add(path);
        unrested.set(path, { modified, due: Date.now() });
      }
      return true;
    },
    lookAgain: (path) => {
      unrested.set(path, { modified: 0, due: 0 });
    },
    looked: (path) => {
      unrested.delete(path);
    },
    isWhole: (path) => {
      met.delete(path);
    },
    forget: (path) => {
      unrested.delete(path);
      met.delete(path);
    },
    paths: () => [...unrested.keys()],
    times: (since, latest) =>
      [...unrested].flatMap(([path, { modified, due }]) => {
        const longest = latest(path);
        return [modified + rest.text, due].filter((at) => at >= since && at <= longest);
      }),
  };
}

const needed = ({ size }: VaultFile): number => (size === 0 ? rest.empty : rest.text);
