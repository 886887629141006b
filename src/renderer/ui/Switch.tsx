import { Switch as Radix } from 'radix-ui';
import { waitingProps } from './waiting';

export interface SwitchProps {
  checked: boolean;
  onChange(checked: boolean): void;
  disabled?: boolean;
  /** The last change is being carried out: it takes no other. */
  waiting?: boolean;
  /** Why it is disabled. */
  title?: string | undefined;
  id?: string;
  'aria-label'?: string;
  'aria-describedby'?: string | undefined;
}

export function Switch({ checked, onChange, disabled = false, waiting = false, ...ties }: SwitchProps) {
  const isTold = disabled && ties.title !== undefined;
  return (
    <Radix.Root
      {...ties}
      className="ui-switch"
      checked={checked}
      onCheckedChange={onChange}
      disabled={disabled && !isTold}
      {...((waiting || isTold) && waitingProps)}
    >
      <Radix.Thumb className="ui-switch-thumb" />
    </Radix.Root>
  );
}
