import { useCallback, useEffect, useRef, useState } from 'react';
import {
  beside,
  type Draft,
  isEmpty,
  isSavedByLeaving,
  noDraft,
  only,
  overtakenFields,
  readDraft,
  sentAs,
  withoutOvertaken,
  withSeen,
  withTyped,
} from './draft';
import { createDrafts, useTakenUp } from './kept-drafts';

const useFormDrafts = createDrafts('form', readDraft);

/** As far as somebody who only shows it has to know it. */
export interface KeptDraft {
  readonly changed: boolean;
  /** Some of it was typed before the form was opened. */
  readonly restored: boolean;
  /** The fields that somebody else has changed meanwhile, and what is saved in them now. */
  readonly overtaken: readonly { readonly field: string; readonly saved: unknown }[];
  /** Also once it is saved. */
  discard(): void;
  /** What is saved now has been seen; what was typed may replace it. */
  keepMine(): void;
  takeTheirs(): void;
}

export interface FormDraft<T> extends KeptDraft {
  /** As it is saved, with what the person changed. */
  readonly values: T;
  set(changes: Partial<T>): void;
  /** Whether it is to be saved now that its place is left. */
  isSavedByLeaving(): boolean;
  /** What was typed stays as it is, but leaving its place does not save it any more, and the form says so. */
  letGo(): void;
  /** What was typed as `sent` is saved as `as`; what was typed since goes on from there. */
  saved(sent: Partial<T>, as: Partial<T>): void;
}

/**
 * What is typed into a form, kept until it is saved or discarded: the form may be closed, left for another page, and
 * the window loaded anew meanwhile. `now` is what is saved, also by others while the form is open. `unstored` names what
 * may be secret: it is kept in memory only, and the window asks before it is closed over it.
 */
export function useFormDraft<T extends object>(
  key: string,
  now: T,
  unstored: readonly (keyof T & string)[],
): FormDraft<T> {
  const entry = useFormDrafts(({ all }) => all[key]);
  const draft = entry ? beside(entry, now) : noDraft;
  const changed = !isEmpty(draft);
  const [opened, setOpened] = useState({ key, restored: changed });
  if (opened.key !== key) setOpened({ key, restored: changed });
  useTakenUp(useFormDrafts, { name: key }, () => setOpened({ key, restored: true }));
  const touched = useRef<string | null>(null);
  const latest = useRef({ now, unstored });
  latest.current = { now, unstored };
  const change = useCallback(
    (next: (draft: Draft, now: T) => Draft) => {
      const { now, unstored } = latest.current;
      const { all, put } = useFormDrafts.getState();
      const after = next(all[key] ?? noDraft, now);
      put(key, orNothing(after), orNothing(only(after, (name) => !unstored.includes(name as never))));
    },
    [key],
  );
  const set = useCallback(
    (changes: Partial<T>) => {
      touched.current = key;
      change((draft, now) => withTyped(draft, now, changes));
    },
    [key, change],
  );
  const discard = useCallback(() => {
    touched.current = null;
    setOpened({ key, restored: false });
    change(() => noDraft);
  }, [key, change]);
  // What has come true by another way is no change any more.
  useEffect(() => {
    if (entry && !changed) change(() => noDraft);
  }, [entry, changed, change]);
  const saved = new Map<string, unknown>(Object.entries(now));
  return {
    values: changed ? { ...now, ...draft.mine } : now,
    changed,
    restored: changed && opened.restored,
    overtaken: overtakenFields(draft, now).map((field) => ({ field, saved: saved.get(field) })),
    set,
    discard,
    keepMine: () => change(withSeen),
    takeTheirs: () => change(withoutOvertaken),
    isSavedByLeaving: () =>
      isSavedByLeaving(
        useFormDrafts.getState().all[key] ?? noDraft,
        latest.current.now,
        touched.current === key,
      ),
    letGo() {
      touched.current = null;
      setOpened({ key, restored: true });
    },
    saved: (sent, as) => change((draft, now) => sentAs(draft, now, sent, as)),
  };
}

const orNothing = (draft: Draft) => (isEmpty(draft) ? null : draft);

/** What it was typed for is gone, as the person wanted. */
export const dropDraft = (key: string): void => useFormDrafts.getState().put(key, null);

/** The names, after the prefix, of forms that hold something. */
export const draftsOf = (start: string): string[] =>
  Object.keys(useFormDrafts.getState().all)
    .filter((key) => key.startsWith(start))
    .map((key) => key.slice(start.length));

/** Of the forms whose names begin so: which, after that, hold what was typed in a window that is gone. */
export const useFormsTakenUp = (start: string, onTaken: (names: readonly string[]) => void): void =>
  useTakenUp(useFormDrafts, { start }, (names) => onTaken(names.map((name) => name.slice(start.length))));
