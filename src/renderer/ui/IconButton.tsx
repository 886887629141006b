import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { classes } from './classes';
import { Tooltip } from './Tooltip';

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  icon: LucideIcon;
  /** Read aloud, and shown as the tooltip. */
  label: string;
  /** Labels of the keys that do the same. */
  keys?: string[];
  size?: 'm' | 's';
  pressed?: boolean;
  side?: 'top' | 'right' | 'bottom' | 'left';
}

export function IconButton(props: IconButtonProps) {
  const { icon: Icon, label, keys, size = 'm', pressed, side = 'bottom', className, ...rest } = props;
  return (
    <Tooltip text={label} keys={keys} side={side}>
      <button
        type="button"
        aria-label={label}
        aria-pressed={pressed}
        {...rest}
        className={classes('ui-icon-button', `ui-icon-button-${size}`, className)}
      >
        <Icon size={size === 's' ? 14 : 16} strokeWidth={1.75} aria-hidden />
      </button>
    </Tooltip>
  );
}
