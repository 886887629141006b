import { type ReactNode, useId } from 'react';
import { classes } from './classes';

export interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | null | undefined;
  /** Label at the left, control at the right. */
  row?: boolean;
  /** Receives what ties the control to its label and its texts. */
  children(ties: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean }): ReactNode;
}

export function Field({ label, hint, error, row = false, children }: FieldProps) {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;
  const hintText = hint && (
    <p id={`${id}-hint`} className="ui-field-hint">
      {hint}
    </p>
  );
  return (
    <div className={classes('ui-field', row && 'ui-field-row')}>
      <div className="ui-field-text">
        <label htmlFor={id}>{label}</label>
        {row && hintText}
      </div>
      <div className="ui-field-control">
        {children({ id, 'aria-describedby': describedBy, 'aria-invalid': Boolean(error) })}
        {error && (
          <p id={`${id}-error`} className="ui-field-error" role="alert">
            {error}
          </p>
        )}
        {!row && hintText}
      </div>
    </div>
  );
}
