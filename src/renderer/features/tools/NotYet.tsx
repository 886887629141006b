import { listed } from '../../base/text/format';
import { t } from '../../base/text/text';
import type { Settled } from '../../base/text/typed-json';

/** Why what is typed cannot be used yet. */
export function NotYet({ settled }: { settled: Settled }) {
  if (settled.kind === 'arguments') return null;
  return (
    <span className="not-yet">
      {settled.fields.length > 0
        ? t('tools.notYetFields', { fields: listed(settled.fields) })
        : t('tools.notYet')}
    </span>
  );
}
