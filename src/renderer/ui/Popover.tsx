import { Popover as Radix } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { classes } from './classes';

export interface PopoverProps {
  trigger: ReactNode;
  label: string;
  /** `l` for what is read and decided there. */
  size?: 'm' | 'l';
  side?: 'top' | 'bottom' | 'left' | 'right';
  align?: 'start' | 'center' | 'end';
  open?: boolean;
  onOpenChange?(open: boolean): void;
  children: ReactNode;
}

export function Popover({
  trigger,
  label,
  size = 'm',
  side = 'bottom',
  align = 'start',
  children,
  ...control
}: PopoverProps) {
  const before = useRef<Element | null>(null);
  return (
    <Radix.Root {...control}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className={classes('ui-popover', size === 'l' && 'ui-popover-l')}
          aria-label={label}
          side={side}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          onOpenAutoFocus={() => {
            before.current = document.activeElement;
          }}
          onInteractOutside={() => {
            before.current = null;
          }}
          // A key may have opened it from elsewhere than its button.
          onCloseAutoFocus={(event) => {
            const from = before.current;
            if (!(from instanceof HTMLElement) || !from.isConnected || from === document.body) return;
            event.preventDefault();
            from.focus();
          }}
          onEscapeKeyDown={(event) => {
            // A box in a card takes it: the first Escape leaves the box only.
            if (!(event.target instanceof Element)) return;
            if (!event.target.matches('article :is(input, textarea)')) return;
            event.preventDefault();
            event.target.closest('article')?.focus();
          }}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
