import { type ComponentProps, useLayoutEffect, useRef } from 'react';
import { classes } from './classes';

export function Input({ className, mono, ...rest }: ComponentProps<'input'> & { mono?: boolean }) {
  return (
    <input
      type="text"
      autoComplete="off"
      spellCheck={false}
      {...rest}
      className={classes('ui-input', mono && 'ui-mono', className)}
    />
  );
}

export interface TextAreaProps extends ComponentProps<'textarea'> {
  mono?: boolean;
  /** Grows with its text up to this many lines. */
  maxRows?: number;
}

export function TextArea({ className, mono, maxRows = 12, ...rest }: TextAreaProps) {
  const ref = useRef<HTMLTextAreaElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text.
  useLayoutEffect(() => {
    const area = ref.current;
    if (!area) return;
    area.style.height = 'auto';
    area.style.height = `${Math.min(area.scrollHeight + 2, maxRows * 20 + 16)}px`;
  }, [rest.value, maxRows]);
  return (
    <textarea
      ref={ref}
      rows={2}
      spellCheck={false}
      {...rest}
      className={classes('ui-input', 'ui-text-area', mono && 'ui-mono', className)}
    />
  );
}
