import { useEffect, useRef } from 'react';
import { create, type StoreApi, type UseBoundStore } from 'zustand';
import { askBeforeLosing } from '../core/unsent';
import { enterWindow, type WindowDrafts } from './window-drafts';

export interface KeptDrafts<D extends object> {
  /** Of this window, by what they are typed into. */
  readonly all: Readonly<Record<string, D>>;
  /** `stored`: what of it may be written down. The rest is in memory only, and the window asks before it goes. */
  put(name: string, draft: D | null, stored?: D | null): void;
  /** The names of what windows that are gone have left and this one now has. */
  takeUp(wanted: (name: string) => boolean): Promise<readonly string[]>;
}

/** Of forms that hold words which are nowhere but in this window. */
const onlyHere = new Set<string>();
const loads: (() => void)[] = [];
let kept: WindowDrafts | null = null;

/** Before anything is drawn: what is drawn first shows what was typed before the window was loaded anew. */
export async function openDrafts(): Promise<void> {
  kept = await enterWindow({
    storage: localStorage,
    session: sessionStorage,
    locks: navigator.locks,
    letGoMs: 1_000,
  });
  for (const load of loads) load();
  askBeforeLosing(() => onlyHere.size > 0);
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
    const ofKind = (found: ReadonlyMap<string, unknown>): Record<string, D> =>
      Object.fromEntries(
        [...found].flatMap(([name, stored]) => {
          const draft = name.startsWith(start) ? read(stored) : null;
          return draft === null ? [] : [[name.slice(start.length), draft]];
        }),
      );
    // What is loaded with the first page begins before the drafts are opened, the rest after.
    loads.push(() => kept && set({ all: ofKind(kept.all()) }));
    return {
      all: kept ? ofKind(kept.all()) : {},
      put(name, draft, stored = draft) {
        set(({ all: { [name]: _, ...others } }) => ({ all: draft ? { ...others, [name]: draft } : others }));
        const isWhole = JSON.stringify(stored) === JSON.stringify(draft);
        if (store(start + name, stored) && isWhole) onlyHere.delete(start + name);
        else onlyHere.add(start + name);
      },
      async takeUp(wanted) {
        const own = (name: string) => name.slice(start.length);
        const isWanted = (name: string) =>
          name.startsWith(start) && !(own(name) in get().all) && wanted(own(name));
        // Where it cannot be moved, as on a full disk, it stays where it is.
        const taken = ofKind((await kept?.takeUp(isWanted).catch(() => null)) ?? new Map());
        set(({ all }) => ({ all: { ...all, ...taken } }));
        return Object.keys(taken);
      },
    };
  });
}

/** Looks, when something is opened, for what was typed into it in a window that is gone. */
export function useTakenUp<D extends object>(
  drafts: UseBoundStore<StoreApi<KeptDrafts<D>>>,
  wanted: { readonly name: string } | { readonly start: string },
  onTaken: (names: readonly string[]) => void = () => undefined,
): void {
  const [name, start] = 'name' in wanted ? [wanted.name, null] : [null, wanted.start];
  const latest = useRef(onTaken);
  latest.current = onTaken;
  useEffect(() => {
    let isShown = true;
    const { takeUp } = drafts.getState();
    void takeUp((each) => each === name || (start !== null && each.startsWith(start))).then((names) => {
      if (isShown && names.length > 0) latest.current(names);
    });
    return () => {
      isShown = false;
    };
  }, [drafts, name, start]);
}

function store(name: string, draft: object | null): boolean {
  try {
    kept?.put(name, draft);
    return kept !== null || draft === null;
  } catch {
    return false;
  }
}
