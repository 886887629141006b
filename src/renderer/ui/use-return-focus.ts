import { useState } from 'react';

/** For a dialog without a trigger: gives the focus back to what had it when the dialog came. */
export function useReturnFocus(): (event: Event) => void {
  const [before] = useState(() => document.activeElement);
  return (event) => {
    event.preventDefault();
    if (before instanceof HTMLElement && before.isConnected) before.focus();
  };
}
