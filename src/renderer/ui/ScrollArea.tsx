import type { ComponentProps } from 'react';
import { classes } from './classes';

/** Scrolls by wheel, touch and, having the focus, by keys. */
export function ScrollArea({ className, ...rest }: ComponentProps<'div'>) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
  return <div tabIndex={0} {...rest} className={classes('ui-scroll', className)} />;
}
