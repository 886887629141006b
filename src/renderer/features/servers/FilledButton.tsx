import type { ReactNode } from 'react';
import { listed } from '../../base/text/format';
import { t } from '../../base/text/text';
import { Button } from '../../ui';

/** Sends a form; says which of its fields are still empty. */
export function FilledButton({
  lacking,
  busy = false,
  children,
}: {
  /** As the form calls them. */
  lacking: readonly string[];
  busy?: boolean;
  children: ReactNode;
}) {
  return (
    <div className="server-offer-send">
      <Button type="submit" size="s" disabled={lacking.length > 0} busy={busy}>
        {children}
      </Button>
      {lacking.length > 0 && <small>{t('offers.lacking', { names: listed(lacking) })}</small>}
    </div>
  );
}
