import { AlertDialog as Radix } from 'radix-ui';
import { Button } from './Button';
import { useDialogAside } from './dialog-aside';
import { useReturnFocus } from './use-return-focus';

export interface ConfirmDialogProps {
  title: string;
  text: string;
  confirm: string;
  cancel: string;
  danger?: boolean;
  onConfirm(): void;
  onClose(): void;
}

/** Asks before something that is hard to take back. The focus starts on the way out. */
export function ConfirmDialog({
  title,
  text,
  confirm,
  cancel,
  danger,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const giveBack = useReturnFocus(true);
  const aside = useDialogAside();
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="ui-veil" />
        <Radix.Content className="ui-dialog ui-dialog-s" onCloseAutoFocus={giveBack}>
          <header className="ui-dialog-head">
            <Radix.Title>{title}</Radix.Title>
          </header>
          <Radix.Description className="ui-dialog-body">{text}</Radix.Description>
          <footer className="ui-dialog-foot">
            <Radix.Cancel asChild>
              <Button>{cancel}</Button>
            </Radix.Cancel>
            <Radix.Action asChild>
              <Button look={danger ? 'danger' : 'primary'} onClick={onConfirm}>
                {confirm}
              </Button>
            </Radix.Action>
          </footer>
          {aside}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
