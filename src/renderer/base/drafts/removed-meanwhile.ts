import { useLayoutEffect, useRef, useState } from 'react';
import type { FormDraft } from './form-draft';

/** What a form is open for, as it was last seen: somebody else may remove it meanwhile. */
export function useLastSeen<T>(id: string | null, entry: T | undefined): T | null {
  const [last, setLast] = useState({ id, item: entry });
  if (last.id !== id || (entry !== undefined && entry !== last.item)) setLast({ id, item: entry });
  return entry ?? (last.id === id ? (last.item ?? null) : null);
}

/**
 * What the form was open for is there no more. With something typed in it, it goes on as the form of a new one, with all that
 * stood in it; with nothing typed, it is left.
 */
export function useRemoved<T extends object>(draft: FormDraft<T>, removed: boolean, onLeave: () => void) {
  const before = useRef({ draft, removed });
  useLayoutEffect(() => {
    const last = before.current;
    before.current = { draft, removed };
    if (!removed) return;
    if (!last.removed && last.draft.changed) {
      draft.set(last.draft.values);
      draft.keepMine();
    } else if (!draft.changed) onLeave();
  });
}
