import type { RecoveredText, RecoveryReason } from '../../contract/recovery';
import type { StoredRecovery } from '../notes';
import type { Vault } from '../vault';

/** Why a text is kept apart from a note that was no more then. */
export const goneThen: ReadonlySet<RecoveryReason> = new Set(['deleted', 'trashed', 'replaced', 'window']);

/** Where the note of a recovered text is by now. Of one that was no more then, what has its name is another. */
export function placeNow(
  { note, file, reason }: Pick<StoredRecovery, 'note' | 'file' | 'reason'>,
  vault: Vault,
): RecoveredText['now'] {
  if (vault.state.get().kind !== 'open') return { kind: 'gone' };
  const moved = file === null ? null : vault.whereIs(file);
  if (moved !== null) return { kind: 'there', path: moved };
  if (note === null || vault.fileAt(note) === null) return { kind: 'gone' };
  return { kind: goneThen.has(reason) ? 'another' : 'there', path: note };
}
