import { Globe } from 'lucide-react';
import type { OpenView } from '../../../contract/views';
import { t } from '../../base/text/text';
import { Button, Popover } from '../../ui';

/** What the person let views of a server reach, until the page is loaded again. */
const agreed = new Set<string>();
const reachOf = ({ origin, reaches }: OpenView) => JSON.stringify([origin, ...reaches]);
export const isAgreed = (view: OpenView) => view.reaches.length === 0 || agreed.has(reachOf(view));
export const agree = (view: OpenView) => agreed.add(reachOf(view));

/** Nothing is fetched from elsewhere because a call was made: the person says so first. */
export function AskToReach({ places, onYes }: { places: readonly string[]; onYes(): void }) {
  return (
    <div className="server-view-ask">
      <p>{t('view.askReach')}</p>
      <Places places={places} />
      <Button size="s" look="primary" onClick={onYes}>
        {t('view.show')}
      </Button>
    </div>
  );
}

/** Where a view may send what it knows: its server said so, and the person sees it. */
export function Reaches({ places }: { places: readonly string[] }) {
  return (
    <Popover
      label={t('view.reaches')}
      trigger={
        <Button size="s" look="quiet" className="server-view-reaches">
          <Globe size={12} strokeWidth={1.75} aria-hidden />
          {t('view.places', { count: places.length })}
        </Button>
      }
    >
      <div className="server-view-reach-list">
        <p>{t('view.reaches')}</p>
        <Places places={places} />
      </div>
    </Popover>
  );
}

function Places({ places }: { places: readonly string[] }) {
  return (
    <ul>
      {places.map((place) => (
        <li key={place}>
          <code>{place}</code>
        </li>
      ))}
    </ul>
  );
}
