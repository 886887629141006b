import { Switch as Radix } from 'radix-ui';

export interface SwitchProps {
  checked: boolean;
  onChange(checked: boolean): void;
  disabled?: boolean;
  /** Why it is disabled. */
  title?: string | undefined;
  id?: string;
  'aria-label'?: string;
  'aria-describedby'?: string | undefined;
}

export function Switch({ checked, onChange, disabled = false, ...ties }: SwitchProps) {
  return (
    <Radix.Root
      {...ties}
      className="ui-switch"
      checked={checked}
      onCheckedChange={onChange}
      disabled={disabled}
    >
      <Radix.Thumb className="ui-switch-thumb" />
    </Radix.Root>
  );
}
