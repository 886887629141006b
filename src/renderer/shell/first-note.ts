import { useEffect } from 'react';
import { useLayout } from '../base/layout/layout';
import { useVaultEntries } from '../base/layout/vault-entries';
import { thisWindow } from '../base/window/this-window';

const welcome = 'Welcome.md';

/** A vault that is opened for the first time shows its welcome note, where it has one. */
export function useFirstNote(vault: string | null): void {
  const listed = useVaultEntries(({ entries }) => entries !== undefined);
  useEffect(() => {
    const { entries } = useVaultEntries.getState();
    // Of a vault that comes right after another the list may still be the other's when this is drawn.
    if (vault === null || !listed || !entries) return;
    const { greeted } = thisWindow.parts();
    if (greeted.includes(vault)) return;
    thisWindow.keep({ greeted: [...greeted, vault].slice(-50) });
    const { tabs, openNote } = useLayout.getState();
    if (tabs.length === 0 && entries.has(welcome)) openNote(welcome);
  }, [vault, listed]);
}
