import { useEffect, useState } from 'react';
import { useConnected } from './connected';

/** The time, looked at again every `everyMs` while `live`, and while the core is there whose doings are counted. */
export function useNow(everyMs: number, live = true): number {
  const [now, setNow] = useState(() => Date.now());
  const connected = useConnected();
  useEffect(() => {
    if (!live || !connected) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, live, connected]);
  return now;
}
