import { t } from '../../../base/text/text';

export function duration(ms: number | null): string {
  if (ms === null || !Number.isFinite(ms)) return '';
  if (ms < 1000) return t('time.ms', { n: Math.round(ms) });
  return ms < 60_000
    ? t('time.s', { n: (ms / 1000).toFixed(1) })
    : `${t('time.min', { n: Math.floor(ms / 60_000) })} ${t('time.s', { n: Math.round((ms % 60_000) / 1000) })}`;
}
