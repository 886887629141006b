import { unlink } from 'node:fs/promises';
import { createLog, systemClock } from '../../src/core/foundation';
import { createNotes } from '../../src/core/notes';
import { createVault } from '../../src/core/vault';

/** What of the core keeps notes. */
export function createNotesCore(dataFolder: string) {
  const log = createLog(() => undefined);
  const vault = createVault({
    log,
    clock: systemClock,
    trust: { isTrusted: () => true },
    moveToTrash: unlink,
  });
  const notes = createNotes({ vault, dataFolder, log, clock: systemClock });
  const close = async () => {
    await notes.close();
    await vault.close();
  };
  return { vault, notes, close };
}
