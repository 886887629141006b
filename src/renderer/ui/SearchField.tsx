import { Search } from 'lucide-react';
import type { ComponentProps } from 'react';
import { classes } from './classes';

/** A text box that narrows what is below it. */
export function SearchField({ label, className, ...rest }: ComponentProps<'input'> & { label: string }) {
  return (
    <div className={classes('ui-search', className)}>
      <Search size={14} strokeWidth={1.75} aria-hidden />
      <input
        type="text"
        autoComplete="off"
        spellCheck={false}
        aria-label={label}
        placeholder={label}
        {...rest}
      />
    </div>
  );
}
