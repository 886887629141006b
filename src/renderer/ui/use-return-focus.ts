import { useLayoutEffect, useState } from 'react';

/** Dialogs that are gone and have not yet given the focus back; since when, by `performance.now`. */
const giving = new Map<object, number>();
/** Milliseconds; one that takes longer is not waited for. */
const longest = 1_000;

/** Whether a dialog that is gone is about to give the focus back: it does so some frames later. */
export const isFocusOnItsWay = (): boolean =>
  [...giving.values()].some((since) => performance.now() - since < longest);

/**
 * For a dialog without a trigger: gives the focus back to what had it when the dialog came, unless something outside has
 * taken it since the dialog went.
 */
export function useReturnFocus(isOpen: boolean): (event: Event) => void {
  const [before] = useState(() => document.activeElement);
  const [dialog] = useState(() => ({}));
  useLayoutEffect(() => {
    giving.delete(dialog);
    return isOpen ? () => void giving.set(dialog, performance.now()) : undefined;
  }, [dialog, isOpen]);
  return (event) => {
    event.preventDefault();
    giving.delete(dialog);
    const now = document.activeElement;
    const isTaken = now !== null && now !== document.body && !(event.target as Node).contains(now);
    if (!isTaken && before instanceof HTMLElement && before.isConnected) before.focus();
  };
}
