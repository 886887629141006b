import { Unplug } from 'lucide-react';
import { EmptyState } from '../ui';
import { useConnected } from './connected';
import { t } from './text';

/** In place of a page whose content the core has and this window never saw. */
export function NotConnected() {
  const connected = useConnected();
  return connected ? null : (
    <EmptyState icon={Unplug} title={t('note.notConnected')} text={t('connection.notSeen')} />
  );
}
