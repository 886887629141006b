import { createContext, useContext } from 'react';

/** Whether the core is there. Without it, what was last heard of it is said no longer as if it went on. */
export const Connected = createContext(true);

/** The same, for what is no component. */
export const connection = { isThere: true };

export const useConnected = (): boolean => useContext(Connected);
