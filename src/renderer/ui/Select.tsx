import { Check, ChevronsUpDown } from 'lucide-react';
import { Select as Radix } from 'radix-ui';
import { classes } from './classes';

export interface SelectOption<V extends string> {
  readonly value: V;
  readonly label: string;
  readonly hint?: string;
}

export interface SelectProps<V extends string> {
  value: V | undefined;
  options: readonly SelectOption<NoInfer<V>>[];
  onChange(value: NoInfer<V>): void;
  /** It closes after what was chosen was told. */
  onOpenChange?(isOpen: boolean): void;
  placeholder?: string;
  disabled?: boolean;
  size?: 'm' | 's';
  quiet?: boolean;
  id?: string;
  'aria-label'?: string;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: boolean;
}

export function Select<V extends string>(props: SelectProps<V>) {
  const { value, options, onChange, onOpenChange, placeholder, disabled, size = 'm', quiet, ...ties } = props;
  const selected = options.find((option) => option.value === value);
  return (
    <Radix.Root
      value={value ?? ''}
      onValueChange={(next) => onChange(next as V)}
      {...(onOpenChange && { onOpenChange })}
      disabled={disabled ?? false}
    >
      <Radix.Trigger
        {...ties}
        className={classes(
          'ui-select',
          `ui-select-${size}`,
          quiet && 'ui-select-quiet',
          !selected && 'ui-select-none',
        )}
      >
        <Radix.Value placeholder={placeholder}>{selected?.label ?? placeholder}</Radix.Value>
        <Radix.Icon asChild>
          <ChevronsUpDown size={12} strokeWidth={2} aria-hidden />
        </Radix.Icon>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className="ui-menu ui-select-list"
          position="popper"
          sideOffset={4}
          collisionPadding={8}
        >
          <Radix.Viewport>
            {options.map((option) => (
              <Radix.Item key={option.value} value={option.value} className="ui-menu-item">
                <span className="ui-menu-icon">
                  <Radix.ItemIndicator>
                    <Check size={14} strokeWidth={2} aria-hidden />
                  </Radix.ItemIndicator>
                </span>
                <Radix.ItemText>{option.label}</Radix.ItemText>
                {option.hint && <span className="ui-menu-hint">{option.hint}</span>}
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
