import { create } from 'zustand';

interface Unasked {
  readonly vault: string;
  readonly path: string;
  /** Null: its window went before the app had heard of it. */
  readonly why: string | null;
}

/** The notes in which something was asked in vain and that did not show it, until the person has read that. */
export const useUnasked = create<{ readonly all: readonly Unasked[] }>(() => ({ all: [] }));

export function tellUnasked(question: Unasked): void {
  useUnasked.setState(({ all }) => ({
    all: [...all.filter(({ vault, path }) => vault !== question.vault || path !== question.path), question],
  }));
}

export const dismissUnasked = () => useUnasked.setState({ all: [] });
