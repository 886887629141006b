import { create } from 'zustand';
import type { OfferedPrompt, OfferedResource } from './offers';

/** What the editor of a note asks a person before it can go on. */
export type NoteForm =
  | { readonly kind: 'choose-prompt' }
  | { readonly kind: 'choose-attachment' }
  | { readonly kind: 'speakers' }
  | { readonly kind: 'prompt'; readonly offered: OfferedPrompt; readonly selection: string }
  | { readonly kind: 'resource'; readonly resource: OfferedResource }
  /** The provider has no such model: another one is chosen, and the failed answer asked for again. */
  | {
      readonly kind: 'choose-model';
      readonly provider: string | null;
      readonly model: string | null;
    }
  /** Which of its models a provider uses from now on. */
  | { readonly kind: 'change-model'; readonly provider: string }
  /** Somebody else is to answer; `tag` is who did. */
  | {
      readonly kind: 'choose-answerer';
      readonly tag: string | null;
      readonly how: 'again' | 'replace' | 'beside';
    };

interface NoteForms {
  readonly open: { readonly path: string; readonly form: NoteForm } | null;
  show(path: string, form: NoteForm): void;
  moved(from: string, to: string): void;
  close(): void;
}

export const useNoteForm = create<NoteForms>((set) => ({
  open: null,
  show: (path, form) => set({ open: { path, form } }),
  moved: (from, to) => set(({ open }) => ({ open: open?.path === from ? { ...open, path: to } : open })),
  close: () => set({ open: null }),
}));
