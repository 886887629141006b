import { useEffect, useRef } from 'react';

/** Calls when a box is left by Escape, before the dialog or panel hears it and takes the box away. */
export function useEscapedBox(letGo: () => void): void {
  const latest = useRef(letGo);
  latest.current = letGo;
  useEffect(() => {
    const escaped = ({ key, isComposing, target }: KeyboardEvent) => {
      if (key === 'Escape' && !isComposing && isBox(target)) latest.current();
    };
    window.addEventListener('keydown', escaped, { capture: true });
    return () => window.removeEventListener('keydown', escaped, { capture: true });
  }, []);
}

const isBox = (target: EventTarget | null) =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
