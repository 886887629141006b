import { useEffect, useRef } from 'react';
import { create, type StoreApi, type UseBoundStore } from 'zustand';
import type { DraftQuery } from '../window/take-up';
import { thisWindow } from '../window/this-window';

export interface KeptDrafts<D extends object> {
  /** Of this window, by what they are typed into. */
  readonly all: Readonly<Record<string, D>>;
  /** `stored`: what of it may be written down. The rest is in memory only, and the window asks before it goes. */
  put(name: string, draft: D | null, stored?: D | null): void;
  /** The names of what windows that are gone have left and this one now has. */
  takeUp(query: DraftQuery): Promise<readonly string[]>;
}

/**
 * What is typed and not saved, of one kind. It outlives what it is typed into, and the page. `read` gives null for what
 * was written by another version.
 */
export function createDrafts<D extends object>(
  kind: string,
  read: (stored: unknown) => D | null,
): UseBoundStore<StoreApi<KeptDrafts<D>>> {
  const start = `${kind} `;
  return create<KeptDrafts<D>>((set, get) => {
    const ownDrafts = (): Record<string, D> =>
      Object.fromEntries(
        [...thisWindow.drafts()].flatMap(([name, stored]) => {
          const draft = name.startsWith(start) ? read(stored) : null;
          return draft === null ? [] : [[name.slice(start.length), draft]];
        }),
      );
    // What stands here already may hold more than was written down.
    thisWindow.onDrafts(() => set(({ all }) => ({ all: { ...ownDrafts(), ...all } })));
    return {
      all: ownDrafts(),
      put(name, draft, stored = draft) {
        set(({ all: { [name]: _, ...others } }) => ({ all: draft ? { ...others, [name]: draft } : others }));
        thisWindow.put(start + name, stored, JSON.stringify(stored) === JSON.stringify(draft));
      },
      async takeUp(query) {
        if ('name' in query && query.name in get().all) return [];
        const names = await thisWindow.takeUp(
          'name' in query ? { name: start + query.name } : { start: start + query.start },
        );
        return names.map((name) => name.slice(start.length)).filter((name) => name in get().all);
      },
    };
  });
}

/** Looks, when something is opened, for what was typed into it in a window that is gone. */
export function useTakenUp<D extends object>(
  drafts: UseBoundStore<StoreApi<KeptDrafts<D>>>,
  query: DraftQuery,
  onTaken: (names: readonly string[]) => void = () => undefined,
): void {
  const [name, start] = 'name' in query ? [query.name, ''] : [null, query.start];
  const latest = useRef(onTaken);
  latest.current = onTaken;
  useEffect(() => {
    let isShown = true;
    const { takeUp } = drafts.getState();
    void takeUp(name === null ? { start } : { name }).then((names) => {
      if (isShown && names.length > 0) latest.current(names);
    });
    return () => {
      isShown = false;
    };
  }, [drafts, name, start]);
}
