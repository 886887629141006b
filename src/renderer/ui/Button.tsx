import type { ComponentProps } from 'react';
import { classes } from './classes';
import { Spinner } from './Spinner';
import { waitingProps } from './waiting';

export interface ButtonProps extends ComponentProps<'button'> {
  look?: 'plain' | 'primary' | 'quiet' | 'danger';
  size?: 'm' | 's';
  /** What was pressed is being done: it takes no clicks. */
  waiting?: boolean;
  /** The same, for what takes longer: with a spinner. */
  busy?: boolean;
}

export function Button({
  look = 'plain',
  size = 'm',
  waiting = false,
  busy = false,
  disabled = false,
  className,
  children,
  ...rest
}: ButtonProps) {
  // Whoever is told why a button is off has to get to it.
  const isTold = disabled && rest.title !== undefined;
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled && !isTold}
      {...((waiting || busy || isTold) && waitingProps)}
      aria-busy={busy || undefined}
      className={classes('ui-button', `ui-button-${look}`, `ui-button-${size}`, className)}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}
