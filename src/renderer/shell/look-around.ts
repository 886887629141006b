import { useEffect } from 'react';
import { useCore } from '../base/core/core';

/** Whoever comes back may have changed notes elsewhere: the core looks for what nothing told it of. */
export function useLookAround(): void {
  const core = useCore();
  useEffect(() => {
    const look = () => void core.call('vault.lookAround', {}, { waits: true }).catch(() => undefined);
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  }, [core]);
}
