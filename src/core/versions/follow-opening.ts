import type { Lifetime } from '../foundation';
import type { Deadlines } from './deadlines';
import { movesWhileOff } from './keep/moves-by-file';
import type { OpenVault } from './open-vault';
import { removeAbandoned } from './store/abandoned';
import { folderOf } from './store/store';
import type { Limits } from './store/thin';
import type { VersionsParts } from './versions';
import type { DiskKeeper } from './watch/disk';
import type { SessionKeeper } from './watch/sessions';

/** When a vault is opened, or is kept from now on: what became of its notes meanwhile is found. */
export function followOpening(
  { vault, notes, settings, dataFolder, tellsOfDisk, clock, log }: VersionsParts,
  {
    life,
    open,
    sessions,
    disk,
    deadlines,
    limits,
    onChange,
  }: {
    life: Lifetime;
    open: OpenVault;
    sessions: Pick<SessionKeeper, 'followed'>;
    disk: Pick<DiskKeeper, 'opened'>;
    deadlines: Deadlines;
    limits: () => Limits;
    onChange: () => void;
  },
): void {
  const keeps = () => settings.get().versions.keep;
  let openId: string | null = null;
  let wasKept = keeps();

  function onOpened(): void {
    const keptVault = open.here();
    const isOpenAlready = keptVault !== null && keptVault.id === openId;
    openId = keptVault?.id ?? null;
    if (!keptVault || isOpenAlready || !keeps()) return;
    // Before anything of this time: what is told of a note is told by its place.
    sessions.followed(null);
    const leftOpen = notes().leftOpen();
    if (keptVault.store.isBegun() && tellsOfDisk !== false)
      keptVault.queue.add(async (list) => {
        const moves = await movesWhileOff(list, leftOpen, vault, keptVault.store, clock.now());
        sessions.followed(moves);
        return moves.records;
      });
    disk.opened();
    deadlines.whenClosing(keptVault.store.prune());
    removeAbandoned(dataFolder, folderOf(dataFolder, keptVault.id), clock.now() - limits().age, log);
    onChange();
  }

  function onSettings(): void {
    if (keeps() === wasKept) return;
    wasKept = keeps();
    if (open.current()) disk.opened();
    onChange();
  }

  life.add(vault.state.onChange(onOpened));
  life.add(settings.onChange(onSettings));
}
