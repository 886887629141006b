import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import type { FieldValue } from './FieldControl';

/** What is typed into a field and not in the note yet. */
export interface Draft {
  readonly text: string;
  /** The field, and its note, when the typing began. */
  readonly value: FieldValue;
  readonly revision: string;
  /** Why it could not be saved. */
  readonly why: string | null;
}

interface Drafts {
  readonly all: Readonly<Record<string, Draft>>;
  put(key: string, draft: Draft | null): void;
}

/** Outlives the panel and the page: what was refused after it was closed is there when it is opened again. */
export const useDrafts = create<Drafts>()(
  persist(
    (set) => ({
      all: {},
      put: (key, draft) =>
        set(({ all: { [key]: _, ...others } }) => ({ all: draft ? { ...others, [key]: draft } : others })),
    }),
    {
      name: 'interlinear.details',
      storage: createJSONStorage(() => localStorage),
      partialize: ({ all }) => ({ all }),
    },
  ),
);
