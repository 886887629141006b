import { X } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { ConnectionState } from '../../bridge';
import { useMissed } from '../base/core/connected';
import { useNow } from '../base/core/now';
import { listed, longTime } from '../base/text/format';
import { t } from '../base/text/text';
import { Button, IconButton, Spinner } from '../ui';
import type { PageConnection } from './connect';
import { InvitationForm } from './Entry';

/** A short interruption is nobody's business; a longer one is said calmly, with what happens next. */
const timeoutMs = 1_500;
/** How long what was not done is told once the connection is back. */
const toldAfter = 20_000;

const forgetMissed = () => useMissed.setState({ missed: [] });

function missedWords(missed: readonly string[]): string {
  if (missed.every((what) => what === '')) return t('connection.missed');
  return t('connection.missedThese', { what: listed(missed.map((what) => what || '…')) });
}

function words(kind: ConnectionState['kind']) {
  if (kind === 'closed' || kind === 'unresponsive') return `connection.${kind}` as const;
  return 'connection.lost' as const;
}

export function ConnectionBanner({ connection }: { connection: PageConnection }) {
  const state = useSyncExternalStore(connection.state.onChange, connection.state.get);
  const [late, setLate] = useState(false);
  const isSilent = state.kind === 'unresponsive';
  const [lockedOut, setLockedOut] = useState(false);
  const missed = useMissed((state) => state.missed);
  const hasMissed = missed.length > 0;
  const connected = state.kind === 'connected';
  // While an invitation is tried the form stays.
  if (state.kind !== 'connecting' && lockedOut !== (state.kind === 'refused')) setLockedOut(!lockedOut);
  const now = useNow(1_000, state.kind === 'waiting');
  useEffect(() => {
    if (connected) return setLate(false);
    const timer = setTimeout(() => setLate(true), timeoutMs);
    return () => clearTimeout(timer);
  }, [connected]);
  useEffect(() => {
    if (!connected || !hasMissed) return;
    const timer = setTimeout(forgetMissed, toldAfter);
    return () => clearTimeout(timer);
  }, [connected, hasMissed]);

  if (connected && hasMissed) {
    return (
      <div className="banner banner-quiet" role="status">
        <p>{missedWords(missed)}</p>
        <IconButton size="s" icon={X} label={t('ui.dismiss')} onClick={forgetMissed} />
      </div>
    );
  }
  if (connected || (!late && !isSilent && state.kind !== 'stale' && !lockedOut)) return null;
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
  if (lockedOut) {
    return (
      <div className="banner banner-warn" role="status">
        <p>
          {t('connection.refused')} <code>{t('entry.command')}</code>
        </p>
        <InvitationForm connection={connection} />
      </div>
    );
  }
  return (
    <div className="banner banner-warn" role="status">
      {state.kind !== 'closed' && <Spinner />}
      <p>
        {t(words(state.kind))}
        {hasMissed && <strong> {missedWords(missed)}</strong>}
      </p>
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
