import type { NotTaken } from '../../../contract/mcp';
import { t } from '../../base/text/text';
import { visible } from '../../base/text/visible';
import { Callout } from '../../ui';

/** What of another program's servers is not taken over, and why. */
export function SkippedParts({ skipped }: { skipped: readonly NotTaken[] }) {
  if (skipped.length === 0) return null;
  return (
    <Callout tone="warn" title={t('add.skipped')}>
      <ul className="add-skipped">
        {skipped.map(({ server, what, reason }) => (
          <li key={`${server} ${what} ${reason}`}>
            <strong>{visible(server)}</strong>
            {what !== null && <code>{visible(what)}</code>}
            {visible(reason)}
          </li>
        ))}
      </ul>
    </Callout>
  );
}
