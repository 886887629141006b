import { AlertDialog as Radix } from 'radix-ui';
import { Button } from './Button';

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
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="ui-veil" />
        <Radix.Content className="ui-dialog ui-dialog-s">
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
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
