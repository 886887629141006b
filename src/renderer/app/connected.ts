import { createContext, useContext } from 'react';
import { create } from 'zustand';

/** Whether the core is there. Without it, what was last heard of it is said no longer as if it went on. */
export const Connected = createContext(true);

/** The same, for what is no component. */
export const connection = { isThere: true };

/** Whether something was asked for, since the connection was lost, that was not done. */
export const useMissed = create<{ readonly missed: boolean }>(() => ({ missed: false }));

export const useConnected = (): boolean => useContext(Connected);
