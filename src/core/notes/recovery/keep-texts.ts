import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../../contract/errors';
import type { NoteVault } from '../../../contract/notes';
import type { RecoveryReason } from '../../../contract/recovery';
import type { Clock, Log } from '../../foundation';
import type { Vault } from '../../vault';
import type { WaitingJournal } from '../journal/waiting';
import type { StoredRecovery } from './files';
import { createRecoveryStore, type RecoveryStore } from './store';
import type { NotesTrouble } from './trouble';
import type { RecoveryTexts } from './write';

/** Keeps texts that have no place in their notes, and says so. */
export interface KeptTexts {
  readonly store: RecoveryStore;
  /** `vault`: of which the note is; left out: the open one. Null: it can't be written. */
  keep(
    note: string,
    texts: RecoveryTexts,
    reason: RecoveryReason,
    file: string | null,
    vault?: NoteVault | null,
  ): StoredRecovery | null;
  /** Puts a journal that waits among what was recovered; throws `recovery.unknown` where that can't be written. */
  takeWaiting(journal: WaitingJournal): StoredRecovery;
}

export function createKeptTexts({
  dataFolder,
  vault,
  log,
  clock,
  onTrouble,
}: {
  dataFolder: string;
  vault: Vault;
  log: Log;
  clock: Clock;
  onTrouble: (trouble: NotesTrouble) => void;
}): KeptTexts {
  const store = createRecoveryStore({
    folder: join(dataFolder, 'kept'),
    log,
    now: clock.now,
    onDropped: (count) => onTrouble({ kind: 'conflicts-dropped', count }),
  });

  const openVault = () => (vault.state.get().kind === 'none' ? null : { root: vault.root(), id: vault.id() });

  return {
    store,
    keep(note, texts, reason, file, of = openVault()) {
      const entry = store.add({ note, vault: of, reason, at: clock.now(), file, texts });
      log.warn('text kept apart from its note', { note, reason, place: entry?.place ?? null });
      if (entry !== null)
        onTrouble({ kind: 'kept', note, reason, keptAs: entry.parts[0]?.file ?? entry.place });
      return entry;
    },
    takeWaiting({ id, place, vault: of, note, at, file, text }) {
      const entry = store.add({ note, vault: of, reason: 'waiting', at, file, texts: { text } });
      if (!entry) throw new AppError('recovery.unknown', `The text of “${note}” can’t be moved.`, { id });
      rmSync(place, { force: true });
      return entry;
    },
  };
}
