import { useSyncExternalStore } from 'react';
import { askBeforeLosing } from '../core/unsent';
import { formerStorage } from './former-storage';
import { openMailbox } from './mailbox';
import { createOwnWindow } from './own-window';

export const thisWindow = createOwnWindow(
  () =>
    openMailbox({
      storage: localStorage,
      session: sessionStorage,
      locks: navigator.locks,
      letGoMs: 1_000,
    }),
  () => formerStorage(localStorage),
);

globalThis.window?.addEventListener('pagehide', thisWindow.leave);
askBeforeLosing(thisWindow.isOnlyHere);

/** Whether what was kept of this window is here: what is drawn first is drawn with it. */
export const useWindowIsHere = (): boolean => useSyncExternalStore(thisWindow.onHere, thisWindow.isHere);

/** Sizes of panels, as whoever draws them reads and writes them. */
export const panelSizes = {
  getItem: (key: string): string | null => thisWindow.parts().panels[key] ?? null,
  setItem: (key: string, value: string): void =>
    thisWindow.keep({ panels: { ...thisWindow.parts().panels, [key]: value } }),
};
