import { useCallback, useEffect, useRef, useState } from 'react';
import { create } from 'zustand';

type Changes = Readonly<Record<string, unknown>>;

interface Drafts {
  /** What was changed in each form and is not saved, by the name of the form. */
  readonly all: Readonly<Record<string, Changes>>;
  put(key: string, changes: Changes, unstored: ReadonlySet<string>): void;
}

const prefix = 'interlinear.draft.';
/** Forms with words that are nowhere but in this window. */
const onlyHere = new Set<string>();

const useDrafts = create<Drafts>((set) => ({
  all: stored(),
  put: (key, changes, unstored) => {
    const names = Object.keys(changes);
    if (names.some((name) => unstored.has(name))) onlyHere.add(key);
    else onlyHere.delete(key);
    const toStore = Object.entries(changes).filter(([name]) => !unstored.has(name));
    store(key, toStore.length > 0 ? JSON.stringify(Object.fromEntries(toStore)) : null);
    set(({ all: { [key]: _, ...others } }) => ({
      all: names.length > 0 ? { ...others, [key]: changes } : others,
    }));
  },
}));

window.addEventListener('beforeunload', (event) => {
  if (onlyHere.size > 0) event.preventDefault();
});

function stored(): Record<string, Changes> {
  const found: Record<string, Changes> = {};
  for (let at = 0; at < localStorage.length; at++) {
    const name = localStorage.key(at);
    if (!name?.startsWith(prefix)) continue;
    try {
      const changes: unknown = JSON.parse(localStorage.getItem(name) ?? '');
      if (typeof changes === 'object' && changes !== null) found[name.slice(prefix.length)] = { ...changes };
    } catch {
      localStorage.removeItem(name);
    }
  }
  return found;
}

function store(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(prefix + key);
    else localStorage.setItem(prefix + key, text);
  } catch {
    onlyHere.add(key);
  }
}

export interface FormDraft<T> {
  /** As the form began, with what the person changed. */
  readonly values: T;
  readonly changed: boolean;
  /** Some of it was typed before the form was opened. */
  readonly restored: boolean;
  set(changes: Partial<T>): void;
  /** Also once it is saved. */
  discard(): void;
}

/**
 * What is typed into a form, kept until it is saved or discarded: the form may be closed, left for another page, and
 * the window loaded anew meanwhile. `unstored` names what may be secret: it is kept in memory only, and the window asks
 * before it is closed over it.
 */
export function useFormDraft<T extends object>(
  key: string,
  begun: T,
  unstored: readonly (keyof T & string)[],
): FormDraft<T> {
  const kept = useDrafts(({ all }) => all[key]);
  const changes = kept && differing(kept, begun);
  const changed = changes !== undefined && Object.keys(changes).length > 0;
  const [opened, setOpened] = useState({ key, restored: changed });
  if (opened.key !== key) setOpened({ key, restored: changed });
  const latest = useRef({ begun, unstored });
  latest.current = { begun, unstored };
  const put = useCallback(
    (next: Changes) => useDrafts.getState().put(key, next, new Set(latest.current.unstored)),
    [key],
  );
  const set = useCallback(
    (more: Partial<T>) => put(differing({ ...useDrafts.getState().all[key], ...more }, latest.current.begun)),
    [key, put],
  );
  const discard = useCallback(() => {
    setOpened({ key, restored: false });
    put({});
  }, [key, put]);
  // What has come true by another way is no change any more.
  useEffect(() => {
    if (kept && !changed) put({});
  }, [kept, changed, put]);
  return {
    values: changed ? { ...begun, ...changes } : begun,
    changed,
    restored: changed && opened.restored,
    set,
    discard,
  };
}

/** The names, after the prefix, of forms that hold something. */
export const draftsOf = (start: string): string[] =>
  Object.keys(useDrafts.getState().all)
    .filter((key) => key.startsWith(start))
    .map((key) => key.slice(start.length));

/** What a form of another version has left is not taken. */
function differing(changes: Changes, begun: object): Changes {
  const before = new Map<string, unknown>(Object.entries(begun));
  return Object.fromEntries(
    Object.entries(changes).filter(([name, value]) => {
      if (!before.has(name)) return false;
      const old = before.get(name);
      const fits = old === null || value === null || typeof old === typeof value;
      return fits && JSON.stringify(old) !== JSON.stringify(value);
    }),
  );
}
