import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Connection } from '../../bridge';
import type { AppOperations } from '../../contract/operations';
import { Button, Spinner } from '../ui';
import { longTime } from './format';
import { useNow } from './now';
import { t } from './text';

/** A short interruption is nobody's business; a longer one is said calmly, with what happens next. */
const patience = 1_500;

export function ConnectionBanner({ connection }: { connection: Connection<AppOperations> }) {
  const state = useSyncExternalStore(connection.state.onChange, connection.state.get);
  const [late, setLate] = useState(false);
  const connected = state.kind === 'connected';
  const now = useNow(1_000, state.kind === 'waiting');
  useEffect(() => {
    if (connected) return setLate(false);
    const timer = setTimeout(() => setLate(true), patience);
    return () => clearTimeout(timer);
  }, [connected]);

  if (connected || (!late && state.kind !== 'stale')) return null;
  if (state.kind === 'stale') {
    return (
      <div className="banner banner-accent" role="status">
        <p>{t('connection.stale')}</p>
        <Button size="s" look="primary" onClick={() => window.location.reload()}>
          {t('connection.reload')}
        </Button>
      </div>
    );
  }
  return (
    <div className="banner banner-warn" role="status">
      {state.kind !== 'closed' && <Spinner />}
      <p>{t(state.kind === 'closed' ? 'connection.closed' : 'connection.lost')}</p>
      {state.kind === 'waiting' && (
        <>
          <span className="banner-side">
            {t('connection.retryIn', { time: longTime(Math.max(0, state.retryAt - now)) })}
          </span>
          <Button size="s" onClick={connection.retryNow}>
            {t('connection.retryNow')}
          </Button>
        </>
      )}
    </div>
  );
}
