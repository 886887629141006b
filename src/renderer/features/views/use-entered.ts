import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/**
 * Whether the person has gone into a frame. Until then nothing in it can be focused. A frame that gets the keyboard in
 * another way loses it at once, and `onTaken` is told.
 */
export function useEntered(
  frame: RefObject<HTMLIFrameElement | null>,
  cover: RefObject<HTMLElement | null>,
  onTaken: () => void,
): { readonly entered: boolean; enter(): void; leave(): void } {
  const [entered, setEntered] = useState(false);
  const isIn = useRef(false);
  const latest = useRef(onTaken);
  latest.current = onTaken;

  const enter = useCallback(() => {
    isIn.current = true;
    flushSync(() => setEntered(true));
    frame.current?.focus();
  }, [frame]);
  const leave = useCallback(() => {
    if (!isIn.current) return;
    isIn.current = false;
    flushSync(() => setEntered(false));
    cover.current?.focus();
  }, [cover]);

  useEffect(() => {
    let last = document.activeElement;
    const onFocus = ({ target }: FocusEvent) => {
      if (target === frame.current) return onBlur();
      if (target instanceof HTMLElement) last = target;
      isIn.current = false;
      setEntered(false);
    };
    const onBlur = () => {
      if (isIn.current || frame.current === null || document.activeElement !== frame.current) return;
      window.focus();
      if (last instanceof HTMLElement && last !== frame.current) last.focus({ preventScroll: true });
      else frame.current.blur();
      latest.current();
    };
    document.addEventListener('focusin', onFocus);
    window.addEventListener('blur', onBlur);
    return () => {
      document.removeEventListener('focusin', onFocus);
      window.removeEventListener('blur', onBlur);
    };
  }, [frame]);

  return { entered, enter, leave };
}
