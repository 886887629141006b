import { Tooltip as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
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

export function Tooltip({ text, keys, side = 'bottom', children }: TooltipProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="ui-tooltip" side={side} sideOffset={6} collisionPadding={8}>
          {text}
          {keys && <Kbd keys={keys} />}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
