import { create } from 'zustand';
import { isUnder, movedPath } from '../../../contract/paths';

/** The row whose name is typed; that of a note just made is followed by its text. */
export interface Renaming {
  readonly path: string;
  readonly isNewNote: boolean;
}

interface TreeState {
  readonly expanded: ReadonlySet<string>;
  /** The row that the keys act on. */
  readonly chosen: string | null;
  /** Where that row is about to be: it may be seen there before the app has said that it is. */
  readonly chosenNext: string | null;
  readonly renaming: Renaming | null;
  readonly moving: string | null;
  readonly deleting: string | null;
  choose(path: string): void;
  /** What is there goes to another path, and so does the row that is chosen. */
  expectMove(from: string, to: string): void;
  setExpanded(paths: readonly string[], open: boolean): void;
  collapseAll(): void;
  rename(path: string): void;
  nameNewNote(path: string): void;
  endRenaming(): void;
  move(path: string | null): void;
  remove(path: string | null): void;
}

export const useTree = create<TreeState>((set) => ({
  expanded: new Set(),
  chosen: null,
  chosenNext: null,
  renaming: null,
  moving: null,
  deleting: null,
  choose: (chosen) => set({ chosen, chosenNext: null }),
  expectMove: (from, to) =>
    set(({ chosen }) => ({
      chosenNext: chosen !== null && isUnder(chosen, from) ? movedPath(chosen, from, to) : null,
    })),
  setExpanded: (paths, open) =>
    set(({ expanded }) => {
      const next = new Set(expanded);
      for (const path of paths) {
        if (open) next.add(path);
        else next.delete(path);
      }
      return { expanded: next };
    }),
  collapseAll: () => set({ expanded: new Set() }),
  rename: (path) => set({ renaming: { path, isNewNote: false } }),
  nameNewNote: (path) => set({ renaming: { path, isNewNote: true } }),
  endRenaming: () => set({ renaming: null }),
  move: (moving) => set({ moving }),
  remove: (deleting) => set({ deleting }),
}));
