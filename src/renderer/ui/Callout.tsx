import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

const icons = {
  neutral: Info,
  accent: Info,
  good: CircleCheck,
  warn: TriangleAlert,
  bad: CircleAlert,
} as const;

export interface CalloutProps {
  tone?: keyof typeof icons;
  title?: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
}

export function Callout({ tone = 'neutral', title, children, actions }: CalloutProps) {
  const Icon = icons[tone];
  return (
    <div className={`ui-callout ui-callout-${tone}`} role={tone === 'bad' ? 'alert' : 'note'}>
      <Icon size={16} strokeWidth={1.75} aria-hidden />
      <div className="ui-callout-text">
        {title && <strong>{title}</strong>}
        {children && <div>{children}</div>}
      </div>
      {actions && <div className="ui-callout-actions">{actions}</div>}
    </div>
  );
}
