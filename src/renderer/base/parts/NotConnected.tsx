import { Unplug } from 'lucide-react';
import { Callout, EmptyState, Spinner } from '../../ui';
import { useConnected } from '../core/connected';
import { t } from '../text/text';

/** In place of a page whose content the core has and this window never saw. */
export function NotConnected() {
  const connected = useConnected();
  return connected ? null : (
    <EmptyState icon={Unplug} title={t('note.notConnected')} text={t('connection.notSeen')} />
  );
}

/** In place of what was asked of the core, until it comes. */
export function Awaited() {
  const connected = useConnected();
  if (!connected) return <NotConnected />;
  return (
    <div className="waiting">
      <Spinner size={20} />
    </div>
  );
}

/** Above what was heard of the core before it was gone. */
export function LastKnown() {
  const connected = useConnected();
  return connected ? null : (
    <Callout tone="warn" title={t('note.notConnected')}>
      {t('connection.lastKnown')}
    </Callout>
  );
}
