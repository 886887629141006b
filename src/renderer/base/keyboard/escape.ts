import { create } from 'zustand';

/**
 * The notes in whose calls that wait something is typed: edited arguments, or a reason. It would be gone with the answer, so
 * there Escape stops nothing; Stop does.
 */
export const useTypedInCalls = create<{ readonly paths: ReadonlySet<string> }>(() => ({ paths: new Set() }));

/**
 * Whether Escape, which the innermost thing takes first (a list, a box, a popover, a dialog, a panel, a card), stops the
 * note's answer when nothing else has taken it.
 */
export const escapeStops = (path: string): boolean => !useTypedInCalls.getState().paths.has(path);
