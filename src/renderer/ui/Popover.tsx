import { Popover as Radix } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { classes } from './classes';
import { isTyping } from './typing';

export interface PopoverProps {
  trigger: ReactNode;
  label: string;
  /** `l` for what is read and decided there. */
  size?: 'm' | 'l';
  side?: 'top' | 'bottom' | 'left' | 'right';
  align?: 'start' | 'center' | 'end';
  /** Something is to be decided there: it stays until somebody closes it, and no key that was meant for something else presses a button of it. */
  stays?: boolean;
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
  stays = false,
  children,
  ...control
}: PopoverProps) {
  const before = useRef<Element | null>(null);
  const isGiven = useRef(false);
  function giveBack(): boolean {
    const from = before.current;
    if (!(from instanceof HTMLElement) || !from.isConnected || from === document.body) return isElsewhere();
    from.focus();
    return true;
  }
  return (
    <Radix.Root {...control}>
      <Radix.Trigger
        asChild
        // What has the focus before the button takes it has it again afterwards.
        onPointerDown={({ currentTarget }) => {
          if (currentTarget.dataset.state !== 'open') before.current = document.activeElement;
        }}
      >
        {trigger}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className={classes('ui-popover', size === 'l' && 'ui-popover-l')}
          aria-label={label}
          side={side}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          onOpenAutoFocus={(event) => {
            before.current ??= document.activeElement;
            if (!stays || !(event.currentTarget instanceof HTMLElement)) return;
            event.preventDefault();
            (firstBox(event.currentTarget) ?? event.currentTarget).focus();
          }}
          onPointerDownOutside={() => {
            before.current = null;
            isGiven.current = true;
          }}
          onFocusOutside={(event) => {
            if (stays && !isInDialog(event.target)) event.preventDefault();
          }}
          onEscapeKeyDown={(event) => {
            // A box in a card takes it: the first Escape leaves the box only.
            if (event.target instanceof Element && event.target.matches('article :is(input, textarea)')) {
              event.preventDefault();
              event.target.closest('article')?.focus();
            } else isGiven.current = giveBack();
          }}
          onCloseAutoFocus={(event) => {
            if (isGiven.current || isTyping() || giveBack()) event.preventDefault();
            isGiven.current = false;
            before.current = null;
          }}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Where the first thing that is asked there is to be typed. */
const firstBox = (content: HTMLElement) =>
  content
    .querySelector('article')
    ?.querySelector<HTMLElement>('form :is(input:not([type="checkbox"]), textarea):not([disabled])');

const isInDialog = (place: EventTarget | null): boolean =>
  place instanceof Element && place.closest('[role="alertdialog"], .ui-dialog') !== null;

/** Somewhere else than nowhere and here. */
function isElsewhere(): boolean {
  const now = document.activeElement;
  return now !== null && now !== document.body && !now.closest('.ui-popover');
}
