import { isUnder, movedPath } from '../../../contract/paths';
import type { VersionAuthor } from '../../../contract/versions';
import type { Lifetime } from '../../foundation';
import type { OwnChange, PlannedChange, Vault } from '../../vault';
import type { KeptVault } from '../keep/kept-vaults';
import { goneRecords, movedRecord } from '../keep/moves';
import type { DiskKeeper } from './disk';

const you: readonly VersionAuthor[] = [{ kind: 'you' }];

/** What the vault tells: what the app itself does to files, before and after, and what others did. */
export function followVault({
  vault,
  life,
  disk,
  current,
  now,
  inTime,
  keepsOpen,
  isOpen,
  isCreating,
}: {
  vault: Vault;
  life: Lifetime;
  disk: DiskKeeper;
  /** Null: nothing is kept now. */
  current: () => KeptVault | null;
  now: () => number;
  inTime: (work: Promise<unknown>) => Promise<unknown>;
  /** Keeps open notes at or below a path. */
  keepsOpen: (which: (path: string) => boolean) => void;
  isOpen: (path: string) => boolean;
  /** A file is being made that is a version already. */
  isCreating: () => boolean;
}): void {
  function after(change: OwnChange): void {
    const keptVault = current();
    if (!keptVault) return;
    switch (change.kind) {
      case 'renamed': {
        const { from, to } = change;
        const at = now();
        keptVault.queue.add((list) =>
          list.under(from).map((record) => movedRecord(record, movedPath(record.path, from, to), at, you)),
        );
        return;
      }
      case 'created':
        if (!isCreating()) void disk.written(change.path, you, true);
        return;
      case 'written':
      case 'linked':
        if (!isOpen(change.path)) void disk.written(change.path, you, false);
        return;
      case 'trashed':
    }
  }

  async function before(planned: PlannedChange): Promise<(isDone: boolean) => void> {
    const keptVault = current();
    if (!keptVault || planned.kind !== 'trash') return () => undefined;
    const { path } = planned;
    keepsOpen((open) => isUnder(open, path));
    await inTime(disk.keepUnder(path));
    return (isDone) => {
      if (!isDone) return;
      const at = now();
      keptVault.queue.add((list) =>
        list.under(path).flatMap((record) => goneRecords(list, record, at, you, 'trashed')),
      );
    };
  }

  life.add(vault.onDiskChange(disk.onDiskChange));
  life.add(vault.onOwnChange(after));
  life.add(vault.beforeOwnChange(before));
}
