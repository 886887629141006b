import { useEffect, useLayoutEffect, useRef } from 'react';

const isText = ({ key, ctrlKey, altKey, metaKey }: KeyboardEvent) =>
  [...key].length === 1 && !ctrlKey && !altKey && !metaKey;

/** A dialog that has come has its box by then. */
const mostFrames = 30;

/** Stands where a dialog is on its way: what is typed meanwhile is for the dialog, not for what has the focus still. */
export function HeldKeys({ onClose }: { onClose(): void }) {
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  }, [onClose]);
  useLayoutEffect(() => {
    const keys: string[] = [];
    let isClosed = false;
    const hold = (event: KeyboardEvent) => {
      // What is pressed here on somebody's behalf.
      if (!event.isTrusted) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (event.key === 'Escape') {
        isClosed = true;
        release();
        close.current();
      } else if (isText(event) || event.key === 'Enter' || event.key === 'Backspace') keys.push(event.key);
    };
    const release = () => window.removeEventListener('keydown', hold, true);
    // One after the other, each when the one before is drawn; what is typed meanwhile comes behind.
    const give = (frames: number) => {
      const box = dialogBox();
      if (isClosed || keys.length === 0 || frames === 0) return release();
      if (box) press(box, takeNext(keys));
      requestAnimationFrame(() => give(box ? mostFrames : frames - 1));
    };
    window.addEventListener('keydown', hold, true);
    return () => {
      if (isClosed) return;
      requestAnimationFrame(() => give(mostFrames));
    };
  }, []);
  return null;
}

function dialogBox(): HTMLInputElement | null {
  const box = document.activeElement;
  return box instanceof HTMLInputElement && box.closest('[role="dialog"]') ? box : null;
}

/** A key, or all text up to the next. */
function takeNext(keys: string[]): string {
  const isKey = (key: string) => key.length > 2;
  const end = keys.findIndex(isKey);
  return keys.splice(0, end === -1 ? keys.length : Math.max(end, 1)).join('');
}

function press(box: HTMLInputElement, typed: string): void {
  if (typed === 'Backspace') document.execCommand('delete');
  else if (typed === 'Enter')
    box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
  else document.execCommand('insertText', false, typed);
}
