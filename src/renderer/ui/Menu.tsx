import { Check, type LucideIcon } from 'lucide-react';
import { DropdownMenu as Radix, ContextMenu as RadixContext } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { classes } from './classes';
import { Kbd } from './Kbd';

export type MenuItem =
  | {
      readonly kind?: 'item';
      readonly label: string;
      readonly icon?: LucideIcon;
      readonly keys?: string[] | undefined;
      readonly hint?: string;
      readonly danger?: boolean;
      /** Says something more than it offers it. */
      readonly quiet?: boolean;
      readonly disabled?: boolean;
      /** One of several that exclude each other, and whether it is the one. */
      readonly checked?: boolean;
      run(): void;
    }
  | { readonly kind: 'line' }
  | { readonly kind: 'heading'; readonly label: string };

type Parts = Pick<typeof Radix, 'Item' | 'Separator' | 'Label'>;

/** What was chosen is done once the menu has given the focus back, so that what it opens can take the focus. */
function useChoice(onChosen?: () => void) {
  const chosen = useRef<(() => void) | null>(null);
  return {
    choose: (run: () => void) => {
      chosen.current = run;
    },
    closed: () => {
      const run = chosen.current;
      chosen.current = null;
      if (!run) return;
      queueMicrotask(() => {
        onChosen?.();
        run();
      });
    },
  };
}

function items(parts: Parts, list: readonly MenuItem[], choose: (run: () => void) => void) {
  const pictured = list.some((item) => 'icon' in item || 'checked' in item);
  return list.map((item, at) => {
    const key = `${at}`;
    if (item.kind === 'line') return <parts.Separator key={key} className="ui-menu-line" />;
    if (item.kind === 'heading') {
      return (
        <parts.Label key={key} className="ui-menu-heading">
          {item.label}
        </parts.Label>
      );
    }
    const Icon = item.checked ? Check : item.icon;
    return (
      <parts.Item
        key={key}
        className={classes('ui-menu-item', item.danger && 'ui-menu-danger', item.quiet && 'ui-menu-quiet')}
        disabled={item.disabled ?? false}
        {...(item.checked !== undefined && { role: 'menuitemradio', 'aria-checked': item.checked })}
        onSelect={() => choose(item.run)}
      >
        {pictured && (
          <span className="ui-menu-icon">{Icon && <Icon size={14} strokeWidth={1.75} aria-hidden />}</span>
        )}
        {item.label}
        {item.hint && <span className="ui-menu-hint">{item.hint}</span>}
        {item.keys && <Kbd keys={item.keys} />}
      </parts.Item>
    );
  });
}

export interface MenuProps {
  items: readonly MenuItem[];
  align?: 'start' | 'end';
  /** Before what was chosen is done: the place to take the focus, where that is not what opens the menu. */
  onChosen?(): void;
  onOpenChange?(isOpen: boolean): void;
  /** One element that opens the menu. */
  children: ReactNode;
}

export function Menu({ items: list, align = 'start', onChosen, onOpenChange, children }: MenuProps) {
  const { choose, closed } = useChoice(onChosen);
  return (
    <Radix.Root {...(onOpenChange && { onOpenChange })}>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className="ui-menu"
          align={align}
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={closed}
        >
          {items(Radix, list, choose)}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The same list under the right mouse button (or the menu key). */
export function ContextMenu({ items: list, onOpenChange, children }: Omit<MenuProps, 'align' | 'onChosen'>) {
  const { choose, closed } = useChoice();
  return (
    <RadixContext.Root {...(onOpenChange && { onOpenChange })}>
      <RadixContext.Trigger asChild>{children}</RadixContext.Trigger>
      <RadixContext.Portal>
        <RadixContext.Content className="ui-menu" collisionPadding={8} onCloseAutoFocus={closed}>
          {items(RadixContext as unknown as Parts, list, choose)}
        </RadixContext.Content>
      </RadixContext.Portal>
    </RadixContext.Root>
  );
}
