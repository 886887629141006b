import { type RefObject, useEffect, useRef } from 'react';

/** Lifts an element above everything else without moving it in the page, which would load a frame in it anew. */
export function useTopLayer(box: RefObject<HTMLElement | null>, lifted: boolean, onEscape: () => void): void {
  const leave = useRef(onEscape);
  leave.current = onEscape;
  useEffect(() => {
    const element = box.current;
    if (!lifted || !element) return;
    element.popover = 'manual';
    element.showPopover();
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      // A dialog below stays open.
      event.stopPropagation();
      leave.current();
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => {
      window.removeEventListener('keydown', onKey, { capture: true });
      element.hidePopover();
      element.removeAttribute('popover');
    };
  }, [box, lifted]);
}
