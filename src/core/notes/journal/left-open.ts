import type { Vault } from '../../vault';
import { readJournals } from './journals';

/** A note that was open in an app that died. */
export interface LeftOpen {
  /** Where that app knew it to be last, and where it was when its journal was begun. */
  readonly path: string;
  readonly begunAt: string;
  /** Which file it was when it was saved last, wherever that is now. */
  readonly file: string;
  /** To where that app was about to move it. */
  readonly renamedTo: string | null;
}

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
