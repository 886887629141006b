import { ToggleGroup } from 'radix-ui';

export interface SegmentsProps<V extends string> {
  value: V;
  options: readonly { readonly value: NoInfer<V>; readonly label: string }[];
  onChange(value: NoInfer<V>): void;
  disabled?: boolean;
  /** Why it is disabled. */
  title?: string | undefined;
  'aria-label': string;
}

/** One of a few, all in sight. */
export function Segments<V extends string>({
  value,
  options,
  onChange,
  disabled = false,
  ...ties
}: SegmentsProps<V>) {
  return (
    <ToggleGroup.Root
      {...ties}
      type="single"
      className="ui-segments"
      value={value}
      disabled={disabled}
      onValueChange={(next) => next && onChange(next as V)}
    >
      {options.map((option) => (
        <ToggleGroup.Item key={option.value} value={option.value} className="ui-segment">
          {option.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
