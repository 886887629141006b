import { ScrollText } from 'lucide-react';
import { Suspense } from 'react';
import type { ServerHealth } from '../../../contract/health';
import { useStateWords } from '../../base/core/use-state-words';
import { useLayout } from '../../base/layout/layout';
import { ErrorBoundary } from '../../base/parts/ErrorBoundary';
import { ServerActions } from '../../base/parts/ServerActions';
import { reasonText } from '../../base/text/error-words';
import { ago, labelled, longTime, percent, shortMs } from '../../base/text/format';
import { t } from '../../base/text/text';
import { Button, preloaded, StatusDot } from '../../ui';
import { isMended } from './mended';

const ResponseChart = preloaded(() => import('./ResponseChart').then((file) => file.ResponseChart));
const dash = '–';

export function ServerCard({ server, now }: { server: ServerHealth; now: number }) {
  const { serverId, name, state } = server;
  const openServer = useLayout((layout) => layout.openServer);
  const words = useStateWords()(state, now);
  const lastError = server.errors.at(-1);
  const problem = lastError && reasonText(lastError.reason);
  const facts: [string, string][] = [
    [t('health.success'), server.successRate === null ? dash : percent(server.successRate)],
    [t('health.median'), server.p50 === null ? dash : shortMs(server.p50)],
    [t('health.p95'), server.p95 === null ? dash : shortMs(server.p95)],
    [t('health.calls'), String(server.calls)],
    [t('health.up'), server.upSince === null ? dash : longTime(now - server.upSince)],
    [t('health.restarts'), String(server.restarts)],
  ];
  return (
    <article className="health-card" aria-label={name} tabIndex={-1}>
      <header>
        <StatusDot tone={words.tone} moving={words.moving} />
        <h2>{name}</h2>
        <span className="health-state" title={words.detail}>
          {words.word}
        </span>
      </header>
      <figure
        className="health-chart"
        role="img"
        aria-label={
          server.p50 === null || server.p95 === null
            ? t('health.noData')
            : t('health.chart', { name, p50: shortMs(server.p50), p95: shortMs(server.p95) })
        }
      >
        {server.responseTimes.length > 1 ? (
          <ErrorBoundary small>
            <Suspense>
              <ResponseChart points={server.responseTimes} />
            </Suspense>
          </ErrorBoundary>
        ) : (
          <span className="health-quiet">{t(server.calls > 0 ? 'health.noneSince' : 'health.noData')}</span>
        )}
      </figure>
      <dl className="health-facts">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className="health-last" title={problem}>
        {lastError && problem ? (
          <span className={isMended(server) ? undefined : 'health-error'}>
            {t(isMended(server) ? 'health.wasError' : 'health.error', {
              ago: ago(lastError.at, now),
              message: problem,
            })}
          </span>
        ) : words.detail ? (
          words.detail
        ) : (
          server.lastSuccess !== null && labelled(t('health.lastSuccess'), ago(server.lastSuccess, now))
        )}
      </p>
      <footer>
        <Button size="s" look="quiet" onClick={() => openServer(serverId, 'log')}>
          <ScrollText size={13} strokeWidth={1.75} aria-hidden />
          {t('health.logs')}
        </Button>
        <ServerActions
          serverId={serverId}
          state={state}
          look="quiet"
          onSignIn={() => openServer(serverId, 'overview')}
        />
      </footer>
    </article>
  );
}
