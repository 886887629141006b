import { useEffect, useLayoutEffect, useRef } from 'react';

const isText = ({ key, ctrlKey, altKey, metaKey }: KeyboardEvent) =>
  [...key].length === 1 && !ctrlKey && !altKey && !metaKey;

/** Stands where a dialog is on its way: what is typed meanwhile is for the dialog, not for what has the focus still. */
export function HeldKeys({ onClose }: { onClose(): void }) {
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  }, [onClose]);
  useLayoutEffect(() => {
    let typed = '';
    const hold = (event: KeyboardEvent) => {
      event.preventDefault();
      event.stopImmediatePropagation();
      if (event.key === 'Escape') close.current();
      else if (isText(event)) typed += event.key;
    };
    window.addEventListener('keydown', hold, true);
    return () => {
      window.removeEventListener('keydown', hold, true);
      if (typed === '') return;
      requestAnimationFrame(() => {
        const box = document.activeElement;
        if (!(box instanceof HTMLInputElement) || !box.closest('[role="dialog"]')) return;
        document.execCommand('insertText', false, typed);
      });
    };
  }, []);
  return null;
}
