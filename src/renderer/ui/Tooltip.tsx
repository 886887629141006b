import { Tooltip as Radix } from 'radix-ui';
import { type FocusEvent, type ReactNode, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { Kbd } from './Kbd';

export const TooltipProvider = ({ children }: { children: ReactNode }) => (
  <Radix.Provider delayDuration={500} skipDelayDuration={200}>
    {children}
  </Radix.Provider>
);

export interface TooltipProps {
  text: ReactNode;
  keys?: string[] | undefined;
  side?: 'top' | 'right' | 'bottom' | 'left';
  /** One element that takes a ref. */
  children: ReactNode;
}

/** A button that gets the focus because something was clicked needs no explanation. */
function onlyByKeys(event: FocusEvent): void {
  if (!event.target.matches(':focus-visible')) event.preventDefault();
}

export function Tooltip({ text, keys, side = 'bottom', children }: TooltipProps) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (!open) return;
    // Gone before anything hears the key: Escape is meant for what is beneath, and Radix gives it to the topmost.
    const leave = (event: KeyboardEvent) => event.key === 'Escape' && flushSync(() => setOpen(false));
    window.addEventListener('keydown', leave, { capture: true });
    return () => window.removeEventListener('keydown', leave, { capture: true });
  }, [open]);
  return (
    <Radix.Root open={open} onOpenChange={setOpen}>
      <Radix.Trigger asChild onFocus={onlyByKeys}>
        {children}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="ui-tooltip" side={side} sideOffset={6} collisionPadding={8}>
          {text}
          {keys && <Kbd keys={keys} />}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
