import { useEffect, useRef } from 'react';

/** Calls what was given last when the component goes: a dialog that closes takes its fields away without a blur. */
export function useLeaving(save: () => void): void {
  const latest = useRef(save);
  useEffect(() => {
    latest.current = save;
  });
  useEffect(() => () => latest.current(), []);
}
