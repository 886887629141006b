import { Activity } from 'lucide-react';
import type { HealthReport } from '../../../contract/health';
import { useCoreState } from '../../base/core/core';
import { useNow } from '../../base/core/now';
import { LastKnown, NotConnected } from '../../base/parts/NotConnected';
import { compact, shortMs } from '../../base/text/format';
import { t } from '../../base/text/text';
import { EmptyState, Page } from '../../ui';
import { CallsPerMinute } from './CallsPerMinute';
import { ServerCard } from './ServerCard';
import './health.css';

export function HealthView() {
  const report = useCoreState('health.report', {});
  const waiting = report?.servers.some(({ state }) => state.kind === 'waiting') ?? false;
  const now = useNow(waiting ? 1_000 : 30_000);
  return (
    <Page title={t('health.title')} text={t('health.text')}>
      {report ? <LastKnown /> : <NotConnected />}
      {report && report.servers.length === 0 && report.providers.length === 0 ? (
        <EmptyState icon={Activity} title={t('health.none')} text={t('health.noneText')} />
      ) : (
        report && (
          <>
            <div className="health-cards">
              {report.servers.map((server) => (
                <ServerCard key={server.serverId} server={server} now={now} />
              ))}
            </div>
            <div className="health-row">
              <CallsPerMinute counts={report.callsPerMinute} />
              <SlowestTools tools={report.slowestTools} />
            </div>
            <Providers providers={report.providers} />
          </>
        )
      )}
    </Page>
  );
}

function SlowestTools({ tools }: { tools: HealthReport['slowestTools'] }) {
  const slowest = Math.max(1, ...tools.map(({ p95 }) => p95));
  return (
    <section className="health-panel">
      <h2>{t('health.slowest')}</h2>
      {tools.length === 0 && <p className="health-quiet">{t('health.slowestNone')}</p>}
      <ul>
        {tools.map((one) => (
          <li key={`${one.server}/${one.tool}`} className="health-slow">
            <span className="health-slow-name">
              <code>{one.tool}</code> <small className="health-faint">{one.server}</small>
            </span>
            <span className="health-number">{shortMs(one.p95)}</span>
            <span className="health-bar" aria-hidden>
              <span style={{ width: `${(100 * one.p95) / slowest}%` }} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Providers({ providers }: { providers: HealthReport['providers'] }) {
  return (
    <section className="health-panel">
      <h2>{t('health.providers')}</h2>
      {providers.length === 0 ? (
        <p className="health-quiet">{t('health.providersNone')}</p>
      ) : (
        <table className="ui-table">
          <thead>
            <tr>
              <th>{t('health.provider')}</th>
              <th className="ui-number">{t('health.runs')}</th>
              <th className="ui-number">{t('health.firstByte')}</th>
              <th className="ui-number">{t('health.speed')}</th>
              <th className="ui-number">{t('health.failures')}</th>
            </tr>
          </thead>
          <tbody>
            {providers.map((one) => (
              <tr key={one.provider}>
                <td>{one.provider}</td>
                <td className="ui-number">{compact(one.runs)}</td>
                <td className="ui-number">{one.firstByteMs === null ? '–' : shortMs(one.firstByteMs)}</td>
                <td className="ui-number">
                  {one.tokensPerSecond === null ? '–' : Math.round(one.tokensPerSecond)}
                </td>
                <td className="ui-number">{one.failures}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
