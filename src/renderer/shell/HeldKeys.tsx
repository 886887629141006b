import { useEffect, useLayoutEffect, useRef } from 'react';
import { holdForBox } from '../base/keyboard/held-for-box';

/** Stands where a dialog is on its way: what is typed meanwhile is for the dialog, not for what has the focus still. */
export function HeldKeys({ onClose }: { onClose(): void }) {
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  }, [onClose]);
  useLayoutEffect(() => holdForBox('[role="dialog"] *', () => close.current()).give, []);
  return null;
}
