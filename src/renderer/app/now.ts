import { useEffect, useState } from 'react';

/** The time, looked at again every `everyMs` while `live`. */
export function useNow(everyMs: number, live = true): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!live) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, live]);
  return now;
}
