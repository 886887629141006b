import type { ComponentProps } from 'react';
import { classes } from './classes';
import { Spinner } from './Spinner';

export interface ButtonProps extends ComponentProps<'button'> {
  look?: 'plain' | 'primary' | 'quiet' | 'danger';
  size?: 'm' | 's';
  /** Shows a spinner and takes no clicks. */
  busy?: boolean;
}

export function Button({
  look = 'plain',
  size = 'm',
  busy = false,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || busy}
      aria-busy={busy || undefined}
      className={classes('ui-button', `ui-button-${look}`, `ui-button-${size}`, className)}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}
