import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Popover } from './Popover';

export interface TrayProps {
  icon: LucideIcon;
  /** Says how many wait. */
  label: string;
  className: string;
  open?: boolean;
  onOpenChange?(open: boolean): void;
  children: ReactNode;
}

/** What waits for the person, behind a button at the foot of the screen that counts it. */
export function Tray({ icon: Icon, label, className, children, ...control }: TrayProps) {
  return (
    <Popover
      label={label}
      size="l"
      side="top"
      align="end"
      stays
      {...control}
      trigger={
        <button type="button" className={className}>
          <Icon size={13} strokeWidth={2} aria-hidden />
          {label}
        </button>
      }
    >
      {children}
    </Popover>
  );
}
