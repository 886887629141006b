import { AppWindow, Maximize2, Minimize2, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../base/text/text';
import { visible } from '../../base/text/visible';
import { IconButton } from '../../ui';

export interface ViewHeaderProps {
  name: string;
  server: string;
  /** Where the view may reach to, if that is to be said here. */
  reaches: ReactNode;
  /** How to go into the page, or out of it; null: it is not there yet. */
  hint: string | null;
  full: boolean;
  /** Left out: its size cannot be changed now. */
  onResize: (() => void) | undefined;
  onClose: (() => void) | undefined;
}

/** Whose view it is, and what can be done with it; what is said here is ours, not the server's. */
export function ViewHeader({ name, server, reaches, hint, full, onResize, onClose }: ViewHeaderProps) {
  return (
    <header>
      <AppWindow size={14} strokeWidth={1.75} aria-hidden />
      <span className="server-view-name">{name}</span>
      <span className="server-view-server">{t('view.by', { server: visible(server) })}</span>
      {reaches}
      <span className="server-view-gap" />
      {hint !== null && (
        <span className="server-view-hint" aria-hidden>
          {hint}
        </span>
      )}
      {onResize && (
        <IconButton
          icon={full ? Minimize2 : Maximize2}
          size="s"
          label={t(full ? 'view.smaller' : 'view.larger')}
          onClick={onResize}
        />
      )}
      {onClose && <IconButton icon={X} size="s" label={t('view.close')} onClick={onClose} />}
    </header>
  );
}
