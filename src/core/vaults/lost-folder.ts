import type { Clock } from '../foundation';
import type { Vault } from '../vault';

/** A network that comes back at once ends no server. */
const lostForMs = 5_000;

/** Calls back once the open vault's folder has been away for a while, and once a folder is there again. */
export function followLostFolder(vault: Pick<Vault, 'state'>, clock: Clock, onChange: () => void): void {
  let wasLost = false;
  let cancel: () => void = () => undefined;
  vault.state.onChange(({ kind }) => {
    const isLost = kind === 'lost';
    if (isLost === wasLost) return;
    wasLost = isLost;
    cancel();
    // Programs that run in the folder would keep its disk busy.
    if (isLost) cancel = clock.after(lostForMs, onChange);
    // Another folder may have come back in its place.
    else if (kind === 'open') onChange();
  });
}
