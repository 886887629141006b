import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

export interface EmptyStateProps {
  icon: LucideIcon;
  title: string;
  text?: ReactNode;
  children?: ReactNode;
}

export function EmptyState({ icon: Icon, title, text, children }: EmptyStateProps) {
  return (
    <div className="ui-empty">
      <span className="ui-empty-icon">
        <Icon size={22} strokeWidth={1.5} aria-hidden />
      </span>
      <h3>{title}</h3>
      {text && <p>{text}</p>}
      {children && <div className="ui-empty-actions">{children}</div>}
    </div>
  );
}
