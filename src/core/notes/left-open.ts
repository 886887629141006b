import type { Vault } from '../vault';
import type { LeftOpen } from './door';
import { readJournals } from './recover';

/** Which notes of the vault the journals in this folder are of. `isLeft`: nobody has that session open now. */
export function leftOpen(
  journalFolder: string | null,
  vault: Pick<Vault, 'root' | 'isOf'>,
  isLeft: (sessionId: string) => boolean,
): LeftOpen[] {
  if (journalFolder === null) return [];
  return readJournals(journalFolder, vault).flatMap((journal) => {
    if (journal.kind !== 'whole') return [];
    const { header, begunAt, bases } = journal.session;
    const file = bases[0]?.file ?? null;
    if (file === null || !isLeft(header.sessionId)) return [];
    const renamedTo = header.underway?.kind === 'rename' ? header.underway.to : null;
    return [{ path: header.path, begunAt, file, renamedTo }];
  });
}
