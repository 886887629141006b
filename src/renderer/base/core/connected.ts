import { createContext, useContext } from 'react';
import { create } from 'zustand';
import { AppError } from '../../../contract/errors';

/** Whether the core is there. Without it, what was last heard of it is said no longer as if it went on. */
export const Connected = createContext(true);

let leaving = new AbortController();
let isThere = true;

/** The same, for what is no component. */
export const connection = {
  get isThere() {
    return isThere;
  },
  /** Aborted with `connection.none` as it goes: for what was begun and has to wait before the core is asked. */
  get lost(): AbortSignal {
    return leaving.signal;
  },
};

export function connectionIs(there: boolean): void {
  if (there === isThere) return;
  isThere = there;
  if (there) leaving = new AbortController();
  else leaving.abort(new AppError('connection.none', 'The app is not connected.', {}));
}

/**
 * What was asked for while there was no connection, which was not done, and is told still: in the words of its button, empty
 * where there are none.
 */
export const useMissed = create<{ readonly missed: readonly string[] }>(() => ({ missed: [] }));

export const tellMissed = (what: string): void =>
  useMissed.setState(({ missed }) => ({ missed: [...new Set([...missed, what])] }));

export const useConnected = (): boolean => useContext(Connected);
