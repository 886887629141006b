import { labelled, listed } from '../../base/text/format';
import { t } from '../../base/text/text';

export function CallsPerMinute({ counts }: { counts: readonly number[] }) {
  const minutes = [...Array<number>(Math.max(0, 60 - counts.length)).fill(0), ...counts];
  const most = Math.max(1, ...counts);
  const total = counts.reduce((sum, count) => sum + count, 0);
  return (
    <section className="health-panel">
      <h2>
        {t('health.perMinute')} <small>{t('health.lastHour')}</small>
      </h2>
      <div
        className="health-minutes"
        role="img"
        aria-label={labelled(t('health.perMinute'), listed([String(total), t('health.lastHour')]))}
      >
        {minutes.map((count, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a minute is known by its place.
          <span key={at} title={String(count)} style={{ height: `${(100 * count) / most}%` }} />
        ))}
      </div>
      <p className="health-scale">
        <span>{t('time.minutesAgo', { count: 60 })}</span>
        <span>{t('time.now')}</span>
      </p>
    </section>
  );
}
