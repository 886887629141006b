import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { classes } from './classes';
import { useDialogAside } from './dialog-aside';
import { IconButton } from './IconButton';
import { useReturnFocus } from './use-return-focus';
import { useUiWords } from './words';

export interface DialogProps {
  /** Always read aloud; shown unless `bare`. */
  title: string;
  description?: string;
  open?: boolean;
  onClose(): void;
  size?: 's' | 'm' | 'l' | 'xl' | 'settings';
  /** No heading and no padding: the content brings its own. */
  bare?: boolean;
  footer?: ReactNode;
  children: ReactNode;
}

/** The first thing to fill in or to choose, rather than the way out above it or what a message offers. */
function startInside(event: Event): void {
  const content = event.currentTarget;
  if (!(content instanceof HTMLElement) || content.contains(document.activeElement)) return;
  const fields = 'input, textarea, select, button';
  const firstIn = (part: string) =>
    content.querySelector<HTMLElement>(
      `.${part} :is(${fields}):not([disabled], [role='status'] *, [role='alert'] *)`,
    );
  const current = content.querySelector<HTMLElement>('nav [aria-current="true"]');
  const first = current ?? firstIn('ui-dialog-body') ?? firstIn('ui-dialog-foot');
  if (!first && !content.querySelector('.ui-dialog-head')) return;
  event.preventDefault();
  (first ?? content).focus();
  goBehindText();
}

/** In a box that has text already, the cursor stands before it at first. */
function goBehindText(): void {
  const box = document.activeElement;
  const isBox = box instanceof HTMLInputElement || box instanceof HTMLTextAreaElement;
  if (isBox && box.selectionEnd === 0) box.setSelectionRange(box.value.length, box.value.length);
}

/** A list that is open under a text is closed before the dialog around it. */
function keepForList(event: Event): void {
  if (document.activeElement?.matches('[data-list-open]')) event.preventDefault();
}

export function Dialog(props: DialogProps) {
  const { title, description, open = true, onClose, size = 'm', bare = false, footer, children } = props;
  const { close } = useUiWords();
  const giveBack = useReturnFocus(open);
  const aside = useDialogAside();
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="ui-veil" />
        <Radix.Content
          className={classes('ui-dialog', `ui-dialog-${size}`, bare && 'ui-dialog-bare')}
          onOpenAutoFocus={startInside}
          onCloseAutoFocus={giveBack}
          onEscapeKeyDown={keepForList}
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          {bare ? (
            <Radix.Title className="visually-hidden">{title}</Radix.Title>
          ) : (
            <header className="ui-dialog-head">
              <Radix.Title>{title}</Radix.Title>
              {description && <Radix.Description>{description}</Radix.Description>}
              <IconButton icon={X} label={close} onClick={onClose} className="ui-dialog-close" />
            </header>
          )}
          {bare ? children : <div className="ui-dialog-body">{children}</div>}
          {footer && <footer className="ui-dialog-foot">{footer}</footer>}
          {aside}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
