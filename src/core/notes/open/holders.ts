import type { RecoveryReason } from '../../../contract/recovery';
import type { Clock, Log } from '../../foundation';
import type { Vault } from '../../vault';
import type { OpenEntry, Place, Places } from './places';

/** Takes unsaved text of a note that is no more, and why it is; `file`: which one it was. */
export type KeepFor = (path: string, text: string, reason: RecoveryReason, file: string | null) => boolean;

/** Who holds an open note, and how it ends once nobody does, or at once. */
export interface Holders {
  /** Holds it until `release`. */
  join(entry: OpenEntry): { entry: OpenEntry; release(): void };
  /** Where nobody holds it, it is closed after a while. */
  linger(entry: OpenEntry): void;
  close(entry: OpenEntry): Promise<void>;
  /** Its note is no more, for this reason; null: nor is its vault in reach, and what is unsaved stays in its journal. */
  drop(entry: OpenEntry, reason: RecoveryReason | null, isReplaced?: boolean): void;
  /** Its note is no more, or is another's by now. */
  isGone(sessionId: string): boolean;
}

/** A window that reloads or loses its wire finds its session again. */
const lingerMs = 60_000;
/** The same where its note is deleted: what is in it alone is to be found soon. Programs that save by deleting are done by then. */
const lingerDeletedMs = 5_000;
/** A window that comes back after so many others are gone is told by its text. */
const mostGone = 1_000;

export const isDeleted = ({ open }: OpenEntry) => open.session.save.get().kind === 'deleted';

export function createHolders({
  places,
  keep,
  vault,
  clock,
  log,
}: {
  places: Places;
  keep: KeepFor;
  vault: Pick<Vault, 'state'>;
  clock: Clock;
  log: Log;
}): Holders {
  const goneIds = new Set<string>();

  function linger(entry: OpenEntry): void {
    entry.cancelLinger();
    const { session } = entry.open;
    if (entry.holders > 0 || session.life !== 'open') return;
    if (isDeleted(entry)) {
      entry.cancelLinger = clock.after(lingerDeletedMs, () => void endDeleted(entry));
      return;
    }
    entry.cancelLinger = clock.after(lingerMs, () => {
      // What is not on disk yet goes on being tried.
      if (session.isDirty()) linger(entry);
      else void close(entry).catch((error: unknown) => log.error('session not closed', { error }));
    });
  }

  /** What was not saved is kept apart, unless the note is back, or its vault is not in reach. */
  async function endDeleted(entry: OpenEntry): Promise<void> {
    const { session, saver } = entry.open;
    await saver.look();
    if (entry.holders > 0 || session.life !== 'open') return;
    if (isDeleted(entry) && vault.state.get().kind === 'open') drop(entry, 'deleted');
    else linger(entry);
  }

  function join(entry: OpenEntry): { entry: OpenEntry; release(): void } {
    entry.cancelLinger();
    entry.holders++;
    let isReleased = false;
    return {
      entry,
      release() {
        if (isReleased) return;
        isReleased = true;
        entry.holders--;
        if (entry.holders === 0) void entry.open.saver.save();
        linger(entry);
      },
    };
  }

  function close(entry: OpenEntry): Promise<void> {
    const { path } = entry.open.session;
    places.leave(entry);
    const place: Place = {
      kind: 'closing',
      entry,
      closed: entry.open.close().finally(() => {
        // It may have been moved meanwhile.
        for (const [at, other] of places.byPath) if (other === place) places.byPath.delete(at);
      }),
    };
    places.byPath.set(path, place);
    return place.closed;
  }

  function drop(entry: OpenEntry, reason: RecoveryReason | null, isReplaced = false): void {
    places.leave(entry);
    goneIds.add(entry.open.session.sessionId);
    for (const oldest of goneIds) if (goneIds.size > mostGone) goneIds.delete(oldest);
    entry.open.drop((path, text, file) => reason !== null && keep(path, text, reason, file), isReplaced);
  }

  return { join, linger, close, drop, isGone: (sessionId) => goneIds.has(sessionId) };
}
