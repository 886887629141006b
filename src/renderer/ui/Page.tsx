import type { ReactNode } from 'react';
import { classes } from './classes';

export interface PageProps {
  title: string;
  text?: string;
  actions?: ReactNode;
  /** The content scrolls by itself and fills what is left. */
  fill?: boolean;
  children: ReactNode;
}

/** A view in a tab: heading, one sentence, actions, content. */
export function Page({ title, text, actions, fill = false, children }: PageProps) {
  return (
    <section className={classes('ui-page', fill && 'ui-page-fill')} aria-label={title}>
      <header className="ui-page-head">
        <div>
          <h1>{title}</h1>
          {text && <p>{text}</p>}
        </div>
        {actions && <div className="ui-page-actions">{actions}</div>}
      </header>
      {children}
    </section>
  );
}
