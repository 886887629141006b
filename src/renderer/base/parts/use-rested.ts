import { useEffect, useState } from 'react';

/** The value once it has stayed the same for `delay` milliseconds. */
export function useRested<T>(value: T, delay: number): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), delay);
    return () => clearTimeout(timer);
  }, [value, delay]);
  return rested;
}
