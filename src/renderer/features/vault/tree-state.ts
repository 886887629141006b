import { create } from 'zustand';

interface TreeState {
  readonly expanded: ReadonlySet<string>;
  /** The row that the keys act on. */
  readonly chosen: string | null;
  readonly renaming: string | null;
  readonly moving: string | null;
  readonly deleting: string | null;
  choose(path: string): void;
  setExpanded(paths: readonly string[], open: boolean): void;
  collapseAll(): void;
  rename(path: string | null): void;
  move(path: string | null): void;
  remove(path: string | null): void;
}

export const useTree = create<TreeState>((set) => ({
  expanded: new Set(),
  chosen: null,
  renaming: null,
  moving: null,
  deleting: null,
  choose: (chosen) => set({ chosen }),
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
  rename: (renaming) => set({ renaming }),
  move: (moving) => set({ moving }),
  remove: (deleting) => set({ deleting }),
}));
